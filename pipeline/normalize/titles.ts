/**
 * Compares titles of courses, which systems abbreviate and cut: `Design and Analysis of Algorithms` is `DSGN&ANLYSS OF
 * ALGR`.
 */
import { withoutDiacritics } from "../contract/name-key.ts";

const wordsOf = (title: string): string[] =>
  withoutDiacritics(title)
    .toUpperCase()
    .replace(/&/g, " ")
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "" && word !== "AND");

/**
 * True when each word of the shorter title is a prefix or an abbreviation of a word of the longer title, in the same
 * order.
 */
export function isSameTitle(left: string, right: string): boolean {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.join("") === b.join("")) return a.length > 0;
  return isShortened(a, b) || isShortened(b, a);
}

function isShortened(short: readonly string[], long: readonly string[]): boolean {
  let next = 0;
  for (const word of long) if (next < short.length && isAbbreviation(short[next] ?? "", word)) next++;
  return next === short.length && next > 0;
}

/** `ANLYSS` of `ANALYSIS`: the same first letter, and the others in order. */
function isAbbreviation(word: string, whole: string): boolean {
  if (word[0] !== whole[0]) return false;
  let next = 0;
  for (const letter of whole) if (letter === word[next]) next++;
  return next === word.length;
}
