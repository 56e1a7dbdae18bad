/** The promises of a store in a bucket of which a fifth of the answers are lost or repeated. */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { draws } from "../../support/extent.ts";
import { drawnFaults } from "../../support/s3/faults.ts";
import { openS3Store } from "../../support/s3/store.ts";
import { scratchFolder } from "../publish/scratch.ts";
import { brokenAfter, steps } from "./invariants.ts";
import { bucketPlace } from "./places.ts";

const SEQUENCES = draws(500, 5);

const s3 = await openS3Store();
const scratch = scratchFolder();
afterAll(() => s3.close());

test(`${SEQUENCES} sequences of verbs in buckets break no promise`, { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (sequence, seed) => {
      s3.objects().clear();
      s3.requests.length = 0;
      s3.faults.splice(0, Infinity, drawnFaults(seed, 0.2, 5));
      const places = ["one", "two"].map((name) => bucketPlace(name, s3));
      expect(await brokenAfter(sequence, { disk: nodeDisk, staging: scratch, places })).toEqual([]);
    }),
    { numRuns: SEQUENCES },
  );
});
