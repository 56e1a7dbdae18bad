/** The files of the terms of a generation. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { filesOf, type Generation } from "./generation.ts";

export interface TermFiles {
  readonly term: Term;
  /** Cache key: the content of both tables. */
  readonly key: string;
  readonly sections: readonly string[];
  readonly headings: readonly string[];
}

/** By term name. */
export function termsIn(generation: Generation): ReadonlyMap<string, TermFiles> {
  return new Map(
    publishedTerms(generation, "sections").map((term) => {
      const [sections, headings] = [filesOf(generation, "sections", term), filesOf(generation, "headings", term)];
      const key = `${sections.key} ${headings.key}`;
      return [termName(term), { term, key, sections: sections.paths, headings: headings.paths }];
    }),
  );
}

export interface HistoryFiles {
  readonly key: string;
  readonly history: readonly string[];
  readonly periods: readonly string[];
  requests: number;
}

/** By term name. */
export function historiesIn(generation: Generation): ReadonlyMap<string, HistoryFiles> {
  return new Map(
    publishedTerms(generation, "enrollment_history").map((term) => {
      const history = filesOf(generation, "enrollment_history", term);
      const periods = filesOf(generation, "enrollment_periods", term);
      const key = `${history.key} ${periods.key}`;
      return [termName(term), { key, history: history.paths, periods: periods.paths, requests: 0 }];
    }),
  );
}

/** Latest first. */
export function publishedTerms({ manifest }: Generation, table: TableName): Term[] {
  return manifest.files
    .filter((file) => file.table === table)
    .flatMap(({ partition: { year, quarter } }) => (year && quarter ? [{ year, quarter }] : []))
    .sort((a, b) => compareTerms(b, a));
}
