/** Which known name somebody probably meant. */
import { distance } from "fastest-levenshtein";

/** The known name closest to `name`, where it is no more edits away than `most` allows for it. */
export function closestName(
  name: string,
  known: readonly string[],
  most: (candidate: string) => number,
): string | undefined {
  return known
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= most(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate;
}
