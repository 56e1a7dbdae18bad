/** What holds after every sequence of verbs, whatever is killed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenAfter, steps } from "./invariants.ts";
import { memoryPlaces } from "./world.ts";

const SEQUENCES = 2_000;

test(
  `${SEQUENCES} sequences of verbs, places and kills break no promise of a store`,
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        expect(await brokenAfter(sequence, memoryPlaces())).toEqual([]);
      }),
      { numRuns: SEQUENCES },
    );
  },
);
