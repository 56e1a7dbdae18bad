/** Converts a search query to a MiniSearch query. */
import type { Query } from "minisearch";
import { toCodeKey } from "./aliases.ts";
import { type QueryPart, toleranceOf } from "./search-query.ts";
import { isStopWord } from "./words.ts";

/** The indexed fields: `title` is the visible text, `key` contains codes, numbers and netids. */
export type IndexedField = "title" | "key";

/**
 * The shortest matched prefix, because shorter ones match too much. The last word may be shorter: it may be unfinished,
 * or an initial after a name.
 */
const MIN_PREFIX = 3;
const MIN_PREFIX_ALONE = 2;

export function toTextQuery(parts: readonly QueryPart[], vocabulary: Vocabulary, combineWith: "AND" | "OR"): Query {
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
      fuzzy: vocabulary.hasPrefix(word) ? false : toleranceOf(word),
    };
  }
}

interface Vocabulary {
  add(word: string): void;
  /** True for a word of the index, or a prefix of such a word. */
  hasPrefix(word: string): boolean;
}

export function createVocabulary(): Vocabulary {
  const words = new Set<string>();
  let sorted: string[] | undefined;
  return {
    add: (word) => void words.add(word),
    hasPrefix(word) {
      sorted ??= [...words].sort();
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sorted[middle] ?? "") < word) low = middle + 1;
        else high = middle;
      }
      return sorted[low]?.startsWith(word) ?? false;
    },
  };
}
