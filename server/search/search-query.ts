/** Parses a search query into departments, course numbers and words. */
import { distance } from "fastest-levenshtein";
import type { Aliases, DepartmentMatch } from "./aliases.ts";
import { isCourseNumber, isStopWord, toWords } from "./words.ts";

export type QueryPart =
  | { readonly kind: "department"; readonly matches: readonly DepartmentMatch[]; readonly words: readonly string[] }
  | { readonly kind: "number"; readonly number: string }
  | { readonly kind: "word"; readonly word: string };

export interface SearchQuery {
  /** All words without separators. */
  readonly joined: string;
  readonly parts: readonly QueryPart[];
  /** Departments for a misspelled or abbreviated name before a course number. */
  readonly guessed: readonly DepartmentMatch[];
}

const MAX_WORDS = 8;
const MAX_NAME_WORDS = 6;

export function parseSearchQuery(text: string, aliases: Aliases): SearchQuery {
  const words = toWords(text).slice(0, MAX_WORDS);
  const parts: QueryPart[] = [];
  for (let at = 0; at < words.length;) {
    const found = readDepartment(words, at, aliases);
    if (found) {
      parts.push(...found.parts);
      at += found.used;
    } else {
      const word = words[at++] ?? "";
      parts.push(isCourseNumber(word) ? { kind: "number", number: word } : { kind: "word", word });
    }
  }
  return {
    joined: words.join(""),
    parts,
    guessed: parts.some(({ kind }) => kind === "department") ? [] : guess(parts, aliases),
  };
}

/** The longest sequence of words that names a department, alone (`com lit`) or with a number at its end (`cs161`, `i&c sci46`). */
function readDepartment(words: readonly string[], at: number, aliases: Aliases) {
  for (let used = Math.min(MAX_NAME_WORDS + 1, words.length - at); used > 0; used--) {
    const run = words.slice(at, at + used);
    const joined = run.filter((word) => !isStopWord(word)).join("");
    const matches = aliases.get(joined);
    if (matches) return { used, parts: [{ kind: "department", matches, words: run }] as QueryPart[] };
    const split = splitNumber(joined, run.at(-1) ?? "", aliases);
    if (split) return { used, parts: split };
  }
  return undefined;
}

/** `compsci161` → COMPSCI and 161. The split must be in the last word: `cs 161` is two words already. */
function splitNumber(joined: string, last: string, aliases: Aliases): QueryPart[] | undefined {
  for (let cut = joined.length - 1; cut > joined.length - last.length; cut--) {
    const [alias, number] = [joined.slice(0, cut), joined.slice(cut)];
    const matches = isCourseNumber(number) ? aliases.get(alias) : undefined;
    // `in4matx`: digits before the split belong to the department.
    if (matches && !/\d$/.test(alias))
      return [
        { kind: "department", matches, words: [alias] },
        { kind: "number", number },
      ];
  }
  return undefined;
}

/** Allowed edits for a word of this length. */
export const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/** `compsic 161`, `psychol 9`, `mathmatics2b`: the closest aliases of the words before the number, or those with that prefix. */
function guess(parts: readonly QueryPart[], aliases: Aliases): DepartmentMatch[] {
  const numberAt = parts.findIndex(({ kind }) => kind === "number");
  const words = parts.slice(0, Math.max(0, numberAt)).flatMap((part) => (part.kind === "word" ? part.word : []));
  const typed = words.join("");
  if (typed.length < 3) return [];
  const found = new Map<string, number>();
  for (const [alias, matches] of aliases) {
    const edits = alias.startsWith(typed) ? 1 : nearness(typed, alias);
    if (edits === undefined) continue;
    for (const { code, rank } of matches) {
      const before = found.get(code);
      if (before === undefined || edits + rank < before) found.set(code, edits + rank);
    }
  }
  return [...found].map(([code, rank]) => ({ code, rank })).sort((a, b) => a.rank - b.rank);
}

function nearness(typed: string, alias: string): number | undefined {
  const allowed = toleranceOf(typed);
  if (alias.length < 4 || Math.abs(alias.length - typed.length) > allowed) return undefined;
  const edits = distance(typed, alias);
  return edits <= allowed ? edits : undefined;
}
