/** "Did you mean": the known names closest to an unknown one. */
import { distance } from "fastest-levenshtein";

export const MAX_SUGGESTIONS = 3;

/**
 * The names with the fewest edits to `name`, ignoring case, in their order: at most `MAX_SUGGESTIONS`, none with more edits than `maxEdits`
 * allows for it, and none that differs in every letter.
 */
export function closestNames(
  name: string,
  known: Iterable<string>,
  maxEdits: (candidate: string) => number = () => 2,
): string[] {
  const typed = name.toLowerCase();
  let fewest = Infinity;
  let closest: string[] = [];
  for (const candidate of known) {
    const limit = Math.min(fewest, maxEdits(candidate));
    if (Math.abs(candidate.length - typed.length) > limit) continue;
    const edits = distance(typed, candidate.toLowerCase());
    if (edits > limit || edits >= Math.max(typed.length, candidate.length)) continue;
    if (edits < fewest) closest = [];
    fewest = edits;
    closest.push(candidate);
  }
  return closest.slice(0, MAX_SUGGESTIONS);
}
