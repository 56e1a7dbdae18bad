/** A question as the full-text index is asked it: every part may be met in its own way. */
import type { Query } from "minisearch";
import { toCodeKey } from "./aliases.ts";
import { type Part, toleranceOf } from "./search-query.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { isLittle } from "./words.ts";

/** The fields of the index: what people read, and the keys by which departments, numbers and netids are known. */
export type IndexedField = "title" | "key";

/** A shorter word begins too much, unless it is the last one: that may be unfinished, or an initial beside a name. */
const LEAST_BEGINNING = 3;
const LEAST_ALONE = 2;

/** All of the parts, or any of them. */
export function toTextQuery(parts: readonly Part[], vocabulary: Vocabulary, combineWith: "AND" | "OR"): Query {
  const meaning = parts.filter((part) => part.kind !== "word" || !isLittle(part.word));
  const asked = meaning.length > 0 ? meaning : parts;
  return { combineWith, queries: asked.map((part, i) => toQuery(part, leastOf(i))) };

  function leastOf(i: number): number {
    if (i < asked.length - 1) return LEAST_BEGINNING;
    return i === 0 ? LEAST_ALONE : 1;
  }

  function toQuery(part: Part, least: number): Query {
    switch (part.kind) {
      case "number":
        return { queries: [part.number], fields: ["key"], prefix: true };
      case "word":
        return toWordQuery(part.word, least);
      case "department":
        return {
          combineWith: "OR",
          queries: [
            { combineWith: "OR", queries: part.meant.map(({ code }) => toCodeKey(code)), fields: ["key"] },
            { combineWith: "AND", queries: part.words.map((word) => toWordQuery(word, least)), fields: ["title"] },
          ],
        };
    }
  }

  /** Only a word that the index does not know is taken for a misspelt one. */
  function toWordQuery(word: string, least: number): Query {
    return {
      queries: [word],
      prefix: word.length >= least,
      fuzzy: vocabulary.begins(word) ? false : toleranceOf(word),
    };
  }
}
