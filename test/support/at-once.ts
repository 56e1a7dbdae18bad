/**
 * Property tests whose checks wait: several run at a time, so that generating and comparing continues while the
 * database works.
 */
import * as fc from "fast-check";

/** The numbers of runs are multiples of this. */
const AT_ONCE = 10;

/** Checks `numRuns` values of `arbitrary`, as fc.assert does, ten at once. */
export async function assertAtOnce<T>(
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
  { numRuns, seed }: { numRuns: number; seed?: number },
): Promise<void> {
  if (numRuns % AT_ONCE !== 0) throw new Error(`${numRuns} is no multiple of ${AT_ONCE}`);
  const several = fc.array(arbitrary, { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(several, async (values) => void (await Promise.all(values.map(check)))),
    { numRuns: numRuns / AT_ONCE, ...(seed === undefined ? {} : { seed }) },
  );
}
