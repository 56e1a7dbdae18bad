/** What the search field suggests by itself: the text read as filters, and words that the glossary explains. Loaded when somebody types. */
import { findAddress } from "../data/addresses.ts";
import { findWords } from "../data/glossary.ts";
import { readText } from "./read-text.ts";
import { capitalized, queryInWords } from "./sentence.ts";

export interface Suggestion {
  readonly title: string;
  readonly subtitle: string;
  /** `course`, `word`, … */
  readonly kind: string;
  readonly address: string;
}

export { exactHit, writtenOut } from "./search-text.ts";

const MAX_WORDS = 2;

/** Filters, or a word of the schedule: nothing that could be opened. */
export const isQuestion = (text: string): boolean =>
  Object.keys(readText(text).filters).length > 0 || findWords(text).length > 0;

export function ownSuggestions(text: string): Suggestion[] {
  const { filters, rest } = readText(text);
  const query: Suggestion[] =
    Object.keys(filters).length === 0
      ? []
      : [
          {
            title: capitalized(queryInWords(filters)),
            subtitle: rest === "" ? "Sections of this term" : `Sections of this term: ${rest}`,
            kind: "find",
            address: findAddress({ q: text }),
          },
        ];
  const words = findWords(text)
    .slice(0, MAX_WORDS)
    .map(({ word, name, means }) => ({
      title: `${word}: ${name}`,
      subtitle: means,
      kind: "word",
      address: findAddress({ q: word }),
    }));
  return [...query, ...words];
}
