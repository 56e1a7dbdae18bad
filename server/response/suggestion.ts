/** Suggestions for a misspelled parameter or value. */
import { closestNames } from "../../pipeline/settings/closest-names.ts";

/** Words with a common prefix of this length belong together: `instructor` and `instructorName`. */
const MIN_PREFIX = 4;

/** The candidate with the longest common prefix, ignoring case. */
function longestPrefix(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const shared = (candidate: string) => {
    const other = candidate.toLowerCase();
    let length = 0;
    while (length < typed.length && typed[length] === other[length]) length++;
    return length;
  };
  const [best] = candidates
    .map((candidate) => ({ candidate, length: shared(candidate) }))
    .filter(({ length }) => length >= MIN_PREFIX)
    .sort((a, b) => b.length - a.length);
  return best?.candidate;
}

/** Parameters that filter by a person; an endpoint has one of them. */
const BY_INSTRUCTOR = ["instructorName", "instructor", "taughtByInstructors", "nameContains"];
const PARAMETER_ALIASES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["dept", ["department"]],
  ["prof", BY_INSTRUCTOR],
  ["professor", BY_INSTRUCTOR],
  ["course", ["courseNumber"]],
  ["number", ["courseNumber"]],
  ["title", ["courseTitle", "titleContains"]],
  ["term", ["quarter"]],
]);

/** The parameter that an unknown name resembles (behaviour §1). */
export function meantParameter(name: string, known: readonly string[]): string | undefined {
  // Bounds the work; no parameter's name is longer.
  const typed = name.slice(0, 60);
  const alias = PARAMETER_ALIASES.get(typed.toLowerCase())?.find((parameter) => known.includes(parameter));
  return alias ?? closestNames(typed, known)[0] ?? longestPrefix(typed, known);
}

/** `. Did you mean A, B or C?`, the end of a sentence; empty without suggestions. */
export function didYouMean(words: readonly string[]): string {
  if (words.length === 0) return "";
  const last = words.at(-1) ?? "";
  return `. Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(", ")} or ${last}`}?`;
}
