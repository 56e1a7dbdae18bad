/**
 * 50,000 sequences of verbs, places and kills break no promise of a store; `STORE_SEED` draws others, `STORE_RUNS`
 * another number.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenAfter, steps } from "../pipeline/store/invariants.ts";
import { memoryPlaces } from "../pipeline/store/world.ts";

const runs = Number(process.env["STORE_RUNS"] ?? 50_000);
const seed = process.env["STORE_SEED"];

test(`${runs} sequences of verbs, places and kills`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      expect(await brokenAfter(sequence, memoryPlaces())).toEqual([]);
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  );
});
