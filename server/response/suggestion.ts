import { distance } from "fastest-levenshtein";

const MAX_DISTANCE = 2;
/** Shortest common prefix of a suggestion: `instructor` suggests `instructorName`. */
const MIN_SHARED = 4;
export const MAX_SUGGESTIONS = 3;

/** The candidates with the smallest edit distance, at most two and never the whole word; ignoring case. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const typed = word.toLowerCase();
  let least = MAX_DISTANCE;
  let found: string[] = [];
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > least) continue;
    const away = distance(typed, candidate.toLowerCase());
    if (away > least || away >= Math.max(typed.length, candidate.length)) continue;
    if (away < least) found = [];
    least = away;
    found.push(candidate);
  }
  return found.slice(0, MAX_SUGGESTIONS);
}

/** The candidate with the longest common prefix, ignoring case. */
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
    .filter(({ length }) => length >= MIN_SHARED)
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
  return alias ?? nearest(typed, known)[0] ?? longestShared(typed, known);
}

/** `. Did you mean A, B or C?`, the end of a sentence; empty without suggestions. */
export function didYouMean(words: readonly string[]): string {
  if (words.length === 0) return "";
  const last = words.at(-1) ?? "";
  return `. Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(", ")} or ${last}`}?`;
}
