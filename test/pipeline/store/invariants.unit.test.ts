/** What holds after every sequence of verbs, whatever is killed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../../support/extent.ts";
import { brokenAfter, steps } from "./invariants.ts";
import { memoryPlaces } from "./world.ts";

/** `STORE_SEED` draws others. */
const seed = process.env["STORE_SEED"];
const SEQUENCES = draws(50_000, 2_000);

test(
  `${SEQUENCES} sequences of verbs, places and kills break no promise of a store`,
  { timeout: draws(7_200_000, 600_000) },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        expect(await brokenAfter(sequence, memoryPlaces())).toEqual([]);
      }),
      { numRuns: SEQUENCES, ...(seed === undefined ? {} : { seed: Number(seed) }) },
    );
  },
);
