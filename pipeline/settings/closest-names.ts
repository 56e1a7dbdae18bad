/** "Did you mean": the known names closest to an unknown one. */
import { distance } from "fastest-levenshtein";

export const MAX_SUGGESTIONS = 3;

/** Shorter names become another word after two edits: `foo` is nothing like `room`. */
const LONG = 6;
/** Names up to this length are only like names with the same beginning. */
const SHORT = 3;

/** The edits within which two names are alike; the longer name counts. */
export const usualEdits = (candidate: string, typed: string): number =>
  Math.max(candidate.length, typed.length) < LONG ? 1 : 2;

/** True when two neighbouring letters changed places, which is a single mistake but two edits. */
function isSwap(from: string, to: string): boolean {
  let i = 0;
  while (from[i] === to[i]) i++;
  return `${from.slice(0, i)}${from[i + 1]}${from[i]}${from.slice(i + 2)}` === to;
}

/** The edits between two names in lower case; undefined when they are not alike. */
function editsOfAlike(typed: string, candidate: string, most: number): number | undefined {
  const longer = Math.max(typed.length, candidate.length);
  if (Math.abs(typed.length - candidate.length) > most) return undefined;
  if (longer <= SHORT && typed[0] !== candidate[0]) return undefined;
  const edits = distance(typed, candidate);
  return edits <= most || (most === 1 && edits === 2 && isSwap(typed, candidate)) ? edits : undefined;
}

/** Matches words of at least two letters; words of one letter, such as an initial, differ as digits do. */
const WORDS = /\p{L}{2,}/gu;

/**
 * True when every word of a name is like the word in the same place: a shared folder or course number does not make
 * other words alike.
 */
function hasLikeWords(typed: string, candidate: string): boolean {
  const words = typed.match(WORDS) ?? [];
  const others = candidate.match(WORDS) ?? [];
  if (words.length !== others.length) return true;
  return words.every((word, i) => {
    const other = others[i] ?? "";
    return editsOfAlike(word, other, usualEdits(other, word)) !== undefined;
  });
}

/**
 * The names with the fewest edits to `name`, ignoring case, in their order: at most `MAX_SUGGESTIONS`, and none with
 * more edits than `maxEdits` allows for it.
 */
export function closestNames(
  name: string,
  candidates: Iterable<string>,
  maxEdits: (candidate: string, typed: string) => number = usualEdits,
): string[] {
  const typed = name.toLowerCase();
  let fewest = Infinity;
  let closest: string[] = [];
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    const edits = editsOfAlike(typed, lower, maxEdits(candidate, typed));
    if (edits === undefined || edits > fewest || !hasLikeWords(typed, lower)) continue;
    if (edits < fewest) closest = [];
    fewest = edits;
    closest.push(candidate);
  }
  return closest.slice(0, MAX_SUGGESTIONS);
}
