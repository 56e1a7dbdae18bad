/** The terms of a generation's schedule and enrollment history: in memory while requests use them. */
import { type Term, termName, compareTerms } from "../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../duckdb/pool.ts";
import type { Fragment } from "../../duckdb/sql.ts";
import type { Pace } from "../event-loop-yielder.ts";
import { type Generation, filesOf } from "../generation.ts";
import { publishedRows } from "./loading.ts";
import type { Droppable, TableCache } from "./table-cache.ts";
import { type LoadedHistory, loadHistoryTerm } from "../tables/history-term.ts";
import { type LoadedTerm, loadTerm } from "../tables/schedule-term.ts";
import type { TableName } from "../../../pipeline/contract/tables.ts";

/** A term's files in two tables that belong together. */
interface TermFiles {
  readonly term: Term;
  /** Cache key: the content of both. */
  readonly key: string;
  /** Their rows. */
  readonly rows: () => [Fragment, Fragment];
  requests: number;
}

/** By term name. */
const filesByTerm = (generation: Generation, ...tables: readonly [TableName, TableName]): Map<string, TermFiles> =>
  new Map(
    publishedTerms(generation, tables[0]).map((term) => {
      const [first, second] = [filesOf(generation, tables[0], term), filesOf(generation, tables[1], term)];
      const rows = (): [Fragment, Fragment] => [
        publishedRows(tables[0], first.paths),
        publishedRows(tables[1], second.paths),
      ];
      return [termName(term), { term, key: `${first.key} ${second.key}`, rows, requests: 0 }];
    }),
  );

/** Latest first. */
export function publishedTerms({ manifest }: Generation, table: TableName): Term[] {
  return manifest.files
    .filter((file) => file.table === table)
    .flatMap(({ partition: { year, quarter } }) => (year && quarter ? [{ year, quarter }] : []))
    .sort((a, b) => compareTerms(b, a));
}

export interface Terms {
  /** Runs `use` on a term of the schedule, loading it if need be; undefined when the term is not published. */
  withTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> | undefined;
  /** Runs `use` on a term of the enrollment history, which is loaded at its third request; undefined before, and when it is not published. */
  withHistory<T>(term: Term, use: (loaded: LoadedHistory) => Promise<T>): Promise<T | undefined>;
  /** The loaded terms, most used first: the next snapshot preloads them. */
  loadedTerms(): Term[];
  /** Loads at most so many terms: the given ones that are not loaded, or else the latest. */
  preload(by: Pool, most: number, wanted?: readonly Term[]): Promise<void>;
  /** The terms no longer stay loaded for this snapshot. */
  release(): void;
}

/** A term's history is loaded at this request of a snapshot: loading takes longer than reading the files once. */
const HISTORY_REQUESTS = 3;

/** @param earlier the snapshot is not the current one */
export function createTerms({
  generation,
  tableCache,
  pool,
  earlier,
  createPace,
}: {
  generation: Generation;
  tableCache: TableCache;
  pool: Pool;
  earlier: boolean;
  createPace: (() => Pace) | undefined;
}): Terms {
  const terms = filesByTerm(generation, "sections", "headings");
  const histories = filesByTerm(generation, "enrollment_history", "enrollment_periods");
  const keys = [...terms.values(), ...histories.values()].map(({ key }) => key);
  const release = tableCache.expect(new Set(keys), earlier);

  async function withTable<L extends Droppable, T>(
    key: string,
    make: () => Promise<L>,
    use: (loaded: L) => Promise<T>,
  ) {
    const loaded = await tableCache.acquire(key, make);
    try {
      return await use(loaded);
    } finally {
      tableCache.release(key);
    }
  }

  const useTerm = <T>({ key, rows }: TermFiles, by: Pool, use: (loaded: LoadedTerm) => Promise<T>) =>
    withTable(key, () => loadTerm(by, ...rows(), createPace), use);

  return {
    withTerm(term, use) {
      const files = terms.get(termName(term));
      return files && useTerm(files, pool, use);
    },
    async withHistory(term, use) {
      const files = histories.get(termName(term));
      if (!files || ++files.requests < HISTORY_REQUESTS) return undefined;
      return withTable(files.key, () => loadHistoryTerm(pool, ...files.rows()), use);
    },
    loadedTerms: () =>
      [...terms.values()]
        .flatMap(({ term, key }) => ({ term, uses: tableCache.uses(key) ?? 0 }))
        .filter(({ uses }) => uses > 0)
        .sort((a, b) => b.uses - a.uses)
        .map(({ term }) => term),
    async preload(by, most, wanted) {
      const files = wanted
        ?.flatMap((term) => terms.get(termName(term)) ?? [])
        .filter(({ key }) => tableCache.uses(key) === undefined);
      for (const one of (files ?? [...terms.values()]).slice(0, most)) await useTerm(one, by, () => Promise.resolve());
    },
    release,
  };
}
