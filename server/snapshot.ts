/** One published generation in memory: whole tables are loaded before it is served, terms of the schedule when they are first asked for. */
import type { TableName } from "../pipeline/contract/tables.ts";
import { compareTerms, type Term } from "../pipeline/contract/vocabulary.ts";
import { filesOf, type Generation } from "./generation.ts";
import { type Loaded, type Loading, load, publishedRows } from "./loading.ts";
import type { TableMemory } from "./table-memory.ts";
import { wholeTables, type WholeTables } from "./tables/all.ts";
import { type LoadedTerm, loadTerm } from "./tables/schedule-term.ts";

export interface Snapshot {
  readonly id: string;
  readonly generation: Generation;
  readonly tables: WholeTables;
  /** Runs `use` on a term of the schedule, loading it if need be; undefined when the term is not published. */
  withTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> | undefined;
  /** The published terms of a table, latest first. */
  publishedTerms(table: TableName): Term[];
  /** Which of its terms are loaded, to load them again from the next snapshot before that is served. */
  loadedTerms(): Term[];
  /** Gives back what only this snapshot holds. */
  free(): void;
}

/** How many of the latest terms are loaded before a first snapshot is served. */
const WARM_TERMS = 2;

export async function createSnapshot({
  generation,
  memory,
  compat,
  before,
}: {
  generation: Generation;
  memory: TableMemory;
  compat: boolean;
  before: Snapshot | undefined;
}): Promise<Snapshot> {
  const held: string[] = [];

  async function hold<R extends string>(loading: Loading<R>): Promise<Loaded<R>> {
    const { paths, key } = filesOf(generation, loading.table);
    const loaded = await memory.hold(key, () => load(memory.pool, loading, publishedRows(loading.table, paths)));
    held.push(key);
    return loaded;
  }

  const termKey = (term: Term) =>
    `${filesOf(generation, "sections", term).key} ${filesOf(generation, "headings", term).key}`;
  const isPublished = (term: Term) => filesOf(generation, "sections", term).paths.length > 0;

  function publishedTerms(table: TableName): Term[] {
    const terms = generation.manifest.files
      .filter((file) => file.table === table)
      .flatMap(({ partition: { year, quarter } }) => (year && quarter ? [{ year, quarter }] : []));
    return terms.sort((a, b) => compareTerms(b, a));
  }

  async function useTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> {
    const key = termKey(term);
    const loaded = await memory.hold(key, () =>
      loadTerm(
        memory.pool,
        publishedRows("sections", filesOf(generation, "sections", term).paths),
        publishedRows("headings", filesOf(generation, "headings", term).paths),
      ),
    );
    try {
      return await use(loaded);
    } finally {
      memory.release(key);
    }
  }

  const free = () => {
    for (const key of held.splice(0)) memory.release(key);
  };

  let tables: WholeTables;
  try {
    tables = await wholeTables(hold, compat);
    const warm = before?.loadedTerms() ?? publishedTerms("sections").slice(0, WARM_TERMS);
    for (const term of warm.filter(isPublished)) await useTerm(term, () => Promise.resolve());
  } catch (error) {
    free();
    throw error;
  }

  return {
    id: generation.manifest.id,
    generation,
    tables,
    withTerm: (term, use) => (isPublished(term) ? useTerm(term, use) : undefined),
    publishedTerms,
    loadedTerms: () => publishedTerms("sections").filter((term) => memory.has(termKey(term))),
    free,
  };
}
