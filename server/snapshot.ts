/** One published generation in memory: whole tables are loaded before it is served, terms of the schedule when they are first asked for. */
import type { TableName } from "../pipeline/contract/tables.ts";
import { compareTerms, type Term, termName } from "../pipeline/contract/vocabulary.ts";
import { filesOf, type Generation } from "./generation.ts";
import { type Loaded, type Loading, load, publishedRows } from "./loading.ts";
import { readEntries } from "./search/entry.ts";
import { createSearchIndex, type SearchIndex } from "./search/search-index.ts";
import type { TableMemory } from "./table-memory.ts";
import { wholeTables, type WholeTables } from "./tables/all.ts";
import { type LoadedTerm, loadTerm } from "./tables/schedule-term.ts";

export interface Snapshot {
  readonly id: string;
  readonly generation: Generation;
  readonly tables: WholeTables;
  readonly search: SearchIndex;
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

type Files = ReturnType<typeof filesOf>;

interface TermFiles {
  readonly term: Term;
  /** Of both tables' content. */
  readonly key: string;
  readonly sections: readonly string[];
  readonly headings: readonly string[];
}

/** @throws when a table does not load; then nothing of it stays in memory */
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
  const terms = termsIn(generation);
  const withdraw = memory.expect(new Set([...terms.values()].map(({ key }) => key)));
  const held: string[] = [];

  async function hold<R extends string>(loading: Loading<R>): Promise<Loaded<R>> {
    const { paths, key } = filesOf(generation, loading.table);
    const loaded = await memory.hold(key, () => load(memory.pool, loading, publishedRows(loading.table, paths)));
    held.push(key);
    return loaded;
  }

  /** Made from three tables: snapshots in which none of them changed share it. */
  async function holdSearch(): Promise<SearchIndex> {
    const [courses, instructors, departments] = (["courses", "instructors", "departments"] as const).map((table) =>
      filesOf(generation, table),
    ) as [Files, Files, Files];
    const key = `search ${courses.key} ${instructors.key} ${departments.key}`;
    const files = { courses: courses.paths, instructors: instructors.paths, departments: departments.paths };
    const index = await memory.hold(key, async () => createSearchIndex(await readEntries(memory.pool, files)));
    held.push(key);
    return index;
  }

  async function useTerm<T>(files: TermFiles, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> {
    const { key, sections, headings } = files;
    const loaded = await memory.hold(key, () =>
      loadTerm(memory.pool, publishedRows("sections", sections), publishedRows("headings", headings)),
    );
    try {
      return await use(loaded);
    } finally {
      memory.release(key);
    }
  }

  function free(): void {
    for (const key of held.splice(0)) memory.release(key);
    withdraw();
  }

  try {
    const tables = await wholeTables(hold, compat);
    const search = await holdSearch();
    const warm = before?.loadedTerms() ?? [...terms.values()].slice(0, WARM_TERMS).map(({ term }) => term);
    for (const term of warm) {
      const files = terms.get(termName(term));
      if (files) await useTerm(files, () => Promise.resolve());
    }
    return {
      id: generation.manifest.id,
      generation,
      tables,
      search,
      withTerm(term, use) {
        const files = terms.get(termName(term));
        return files && useTerm(files, use);
      },
      publishedTerms: (table) => publishedTerms(generation, table),
      loadedTerms: () => [...terms.values()].filter(({ key }) => memory.has(key)).map(({ term }) => term),
      free,
    };
  } catch (error) {
    free();
    throw error;
  }
}

/** The terms of the schedule by name, latest first. */
function termsIn(generation: Generation): ReadonlyMap<string, TermFiles> {
  return new Map(
    publishedTerms(generation, "sections").map((term) => {
      const [sections, headings] = [filesOf(generation, "sections", term), filesOf(generation, "headings", term)];
      const key = `${sections.key} ${headings.key}`;
      return [termName(term), { term, key, sections: sections.paths, headings: headings.paths }];
    }),
  );
}

function publishedTerms({ manifest }: Generation, table: TableName): Term[] {
  return manifest.files
    .filter((file) => file.table === table)
    .flatMap(({ partition: { year, quarter } }) => (year && quarter ? [{ year, quarter }] : []))
    .sort((a, b) => compareTerms(b, a));
}
