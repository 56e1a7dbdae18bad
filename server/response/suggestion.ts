/** What somebody probably meant who wrote a word that is not known. */
import { distance } from "fastest-levenshtein";

/** More letters make another word. */
const MOST_WRONG = 2;
/** Words that begin with the same letters, at least so many, belong together: `instructor` and `instructorName`. */
const LEAST_SHARED = 4;
/** So many suggestions are made at most. */
export const MOST_SUGGESTED = 3;

/** The candidates that differ from the word in the fewest letters, at most two and never in all of them; ignoring case. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const typed = word.toLowerCase();
  let least = MOST_WRONG;
  let found: string[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > least) continue;
    const away = distance(typed, candidate.toLowerCase());
    if (away > least || away >= Math.max(typed.length, candidate.length)) continue;
    if (away < least) found = [];
    least = away;
    found.push(candidate);
  }
  return found.slice(0, MOST_SUGGESTED);
}

/** The candidate that has the longest beginning in common with the word, ignoring case. */
function longestShared(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const shared = (candidate: string) => {
    const other = candidate.toLowerCase();
    let length = 0;
    while (length < typed.length && typed[length] === other[length]) length++;
    return length;
  };
  const [best] = candidates
    .map((candidate) => ({ candidate, length: shared(candidate) }))
    .filter(({ length }) => length >= LEAST_SHARED)
    .sort((a, b) => b.length - a.length);
  return best?.candidate;
}

/** The filters by a person, of which an endpoint has one. */
const BY_INSTRUCTOR = ["instructorName", "instructor", "taughtByInstructors", "nameContains"];
/** Other names of parameters, and the parameters that they mean where the endpoint has them. */
const PARAMETER_ALIASES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["dept", ["department"]],
  ["prof", BY_INSTRUCTOR],
  ["professor", BY_INSTRUCTOR],
  ["course", ["courseNumber"]],
  ["number", ["courseNumber"]],
  ["title", ["courseTitle", "titleContains"]],
  ["term", ["quarter"]],
]);

/** The parameter that an unknown name probably means (behaviour §1). */
export function meantParameter(name: string, known: readonly string[]): string | undefined {
  // No parameter's name is longer.
  const typed = name.slice(0, 60);
  const alias = PARAMETER_ALIASES.get(typed.toLowerCase())?.find((parameter) => known.includes(parameter));
  return alias ?? nearest(typed, known)[0] ?? longestShared(typed, known);
}

/** `. Did you mean A, B or C?`, or nothing where there is nothing to suggest; the end of a sentence. */
export function didYouMean(words: readonly string[]): string {
  if (words.length === 0) return "";
  const last = words.at(-1) ?? "";
  return `. Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(", ")} or ${last}`}?`;
}
