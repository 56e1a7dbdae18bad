/** Suggestions that need no server, and the address that a submitted text opens. Loaded when somebody types. */
import { findAddress } from "../data/addresses.ts";
import { findWords } from "../data/glossary.ts";
import { termTitle } from "../data/term-names.ts";
import type { SiteIndex } from "../data/terms.ts";
import { type Hit, hitAddress } from "../parts/hits.tsx";
import { readTerm } from "./read-term.ts";
import { readText } from "./read-text.ts";
import { exactHit, ignoredWords, writtenOut } from "./search-text.ts";
import { capitalized, queryInWords } from "./sentence.ts";

export interface Suggestion {
  readonly title: string;
  readonly subtitle: string;
  /** `course`, `word`, … */
  readonly kind: string;
  readonly address: string;
}

export { readTerm } from "./read-term.ts";
export { writtenOut } from "./search-text.ts";

const MAX_WORDS = 2;

/** True for filters, or a word of the schedule: there is nothing to open. */
const isQuestion = (text: string): boolean =>
  Object.keys(readText(text).filters).length > 0 || findWords(text).length > 0;

/** Returns the address that a submitted text opens: what it names exactly, else the results. */
export async function submittedAddress(
  text: string,
  site: SiteIndex,
  shownTerm: string,
  search: (text: string) => Promise<readonly Hit[]>,
): Promise<string> {
  const { term, rest } = readTerm(text, site);
  const query = term === undefined ? {} : { term };
  if (rest !== "" && !isQuestion(rest)) {
    const meant = writtenOut(rest) ?? rest;
    const hit = exactHit(meant, await search(meant), term ?? shownTerm);
    if (hit && (await ignoredWords(meant, [hit], search)).length === 0) return hitAddress(hit, query);
  }
  return findAddress({ q: rest, ...query });
}

export function ownSuggestions(text: string, site: SiteIndex): Suggestion[] {
  const { term, rest: named } = readTerm(text, site);
  const { filters, rest } = readText(named);
  const isEmpty = Object.keys(filters).length === 0;
  const isTermAlone = term !== undefined && rest === "";
  const scope = term === undefined ? "Sections of this term" : termTitle(term);
  const query: Suggestion[] =
    isEmpty && !isTermAlone
      ? []
      : [
          {
            title: capitalized(queryInWords(filters)),
            subtitle: rest === "" ? scope : `${scope}: ${rest}`,
            kind: "find",
            address: findAddress({ q: text }),
          },
        ];
  const words = findWords(named)
    .slice(0, MAX_WORDS)
    .map(({ word, name, means }) => ({
      title: `${word}: ${name}`,
      subtitle: means,
      kind: "word",
      address: findAddress({ q: word }),
    }));
  return [...query, ...words];
}
