/** Parses a search query into departments, course numbers and words, and converts these to a MiniSearch query. */
import { distance } from "fastest-levenshtein";
import type { Query } from "minisearch";
import { type Aliases, type DepartmentMatch, toCodeKey } from "./aliases.ts";
import { isCourseNumber, isStopWord, toWords } from "./words.ts";

type QueryPart =
  | { readonly kind: "department"; readonly matches: readonly DepartmentMatch[]; readonly words: readonly string[] }
  | { readonly kind: "number"; readonly number: string }
  | { readonly kind: "word"; readonly word: string };

export interface SearchQuery {
  /** All words without separators. */
  readonly joined: string;
  readonly parts: readonly QueryPart[];
  /** Departments for a misspelled or abbreviated name in front of a course number. */
  readonly guessed: readonly DepartmentMatch[];
}

const MAX_WORDS = 8;
const MAX_NAME_WORDS = 6;

export function parseSearchQuery(text: string, aliases: Aliases): SearchQuery {
  const words = toWords(text).slice(0, MAX_WORDS);
  const parts: QueryPart[] = [];
  for (let position = 0; position < words.length;) {
    const department = readDepartment(words, position, aliases);
    if (department) {
      parts.push(...department.parts);
      position += department.used;
    } else {
      const word = words[position++] ?? "";
      parts.push(isCourseNumber(word) ? { kind: "number", number: word } : { kind: "word", word });
    }
  }
  return {
    joined: words.join(""),
    parts,
    guessed: parts.some(({ kind }) => kind === "department") ? [] : guess(parts, aliases),
  };
}

/**
 * Finds the longest sequence of words that names a department, alone (`com lit`) or with a number at its end (`cs161`,
 * `i&c sci46`).
 */
function readDepartment(words: readonly string[], position: number, aliases: Aliases) {
  for (let used = Math.min(MAX_NAME_WORDS + 1, words.length - position); used > 0; used--) {
    const run = words.slice(position, position + used);
    const joined = run.filter((word) => !isStopWord(word)).join("");
    const matches = aliases.get(joined);
    if (matches) return { used, parts: [{ kind: "department", matches, words: run }] as QueryPart[] };
    const split = splitNumber(joined, run.at(-1) ?? "", aliases);
    if (split) return { used, parts: split };
  }
  return undefined;
}

/** Splits `compsci161` into COMPSCI and 161. The split must be in the last word: `cs 161` is already two words. */
function splitNumber(joined: string, last: string, aliases: Aliases): QueryPart[] | undefined {
  for (let cut = joined.length - 1; cut > joined.length - last.length; cut--) {
    const [alias, number] = [joined.slice(0, cut), joined.slice(cut)];
    const matches = isCourseNumber(number) ? aliases.get(alias) : undefined;
    // Digits in front of the split belong to the department: `in4matx`.
    if (matches && !/\d$/.test(alias))
      return [
        { kind: "department", matches, words: [alias] },
        { kind: "number", number },
      ];
  }
  return undefined;
}

/** Returns the number of allowed edits for a word of this length. */
const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/**
 * Guesses departments: the closest aliases of the words in front of a number, or those with that prefix (`compsic 161`,
 * `psychol 9`, `mathmatics2b`).
 */
function guess(parts: readonly QueryPart[], aliases: Aliases): DepartmentMatch[] {
  const numberAt = parts.findIndex(({ kind }) => kind === "number");
  const words = parts.slice(0, Math.max(0, numberAt)).flatMap((part) => (part.kind === "word" ? part.word : []));
  const typed = words.join("");
  if (typed.length < 3) return [];
  const rankByCode = new Map<string, number>();
  for (const [alias, matches] of aliases) {
    const edits = alias.startsWith(typed) ? 1 : nearness(typed, alias);
    if (edits === undefined) continue;
    for (const { code, rank } of matches) {
      const previousRank = rankByCode.get(code);
      if (previousRank === undefined || edits + rank < previousRank) rankByCode.set(code, edits + rank);
    }
  }
  return [...rankByCode].map(([code, rank]) => ({ code, rank })).sort((a, b) => a.rank - b.rank);
}

function nearness(typed: string, alias: string): number | undefined {
  const allowed = toleranceOf(typed);
  if (alias.length < 4 || Math.abs(alias.length - typed.length) > allowed) return undefined;
  const edits = distance(typed, alias);
  return edits <= allowed ? edits : undefined;
}

/** The indexed fields: `title` is the visible text, `key` contains codes, numbers and netids. */
export type IndexedField = "title" | "key";

/**
 * The shortest matched prefix, because shorter ones match too much. The last word may be shorter: it may be unfinished,
 * or an initial after a name.
 */
const MIN_PREFIX = 3;
const MIN_PREFIX_ALONE = 2;

/**
 * Converts the parts to a query of the full-text index.
 * @param isKnown tests for a word of the index, or a prefix of such a word
 */
export function toTextQuery(
  parts: readonly QueryPart[],
  isKnown: (word: string) => boolean,
  combineWith: "AND" | "OR",
): Query {
  const significant = parts.filter((part) => part.kind !== "word" || !isStopWord(part.word));
  const used = significant.length > 0 ? significant : parts;
  return { combineWith, queries: used.map((part, i) => toQuery(part, minPrefixOf(i))) };

  function minPrefixOf(i: number): number {
    if (i < used.length - 1) return MIN_PREFIX;
    return i === 0 ? MIN_PREFIX_ALONE : 1;
  }

  function toQuery(part: QueryPart, minPrefix: number): Query {
    switch (part.kind) {
      case "number":
        return { queries: [part.number], fields: ["key"], prefix: true };
      case "word":
        return toWordQuery(part.word, minPrefix);
      case "department":
        return {
          combineWith: "OR",
          queries: [
            { combineWith: "OR", queries: part.matches.map(({ code }) => toCodeKey(code)), fields: ["key"] },
            { combineWith: "AND", queries: part.words.map((word) => toWordQuery(word, minPrefix)), fields: ["title"] },
          ],
        };
    }
  }

  /** Matches a word; only unknown words are matched fuzzily. */
  function toWordQuery(word: string, minPrefix: number): Query {
    return {
      queries: [word],
      prefix: word.length >= minPrefix,
      fuzzy: isKnown(word) ? false : toleranceOf(word),
    };
  }
}
