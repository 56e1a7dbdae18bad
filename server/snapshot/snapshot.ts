/** One published generation in memory: whole tables are loaded before it is served, terms of the schedule when they are first asked for. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { compatCatalogue, compatTutorials, inCompat } from "../response/compat/tables.ts";
import { filesOf, type Generation } from "./generation.ts";
import { type Also, type Loaded, type Loading, load, publishedRows } from "./loading.ts";
import type { Pool } from "../duckdb/pool.ts";
import { type DepartmentCodes, readDepartmentCodes } from "../search/department-codes.ts";
import { readEntries } from "../search/entry.ts";
import { createSearchIndex, type SearchIndex } from "../search/search-index.ts";
import { sideBySide } from "./settle-all.ts";
import type { TableMemory } from "./table-cache.ts";
import { wholeTables, type WholeTables } from "./tables/all.ts";
import { type LoadedTerm, loadTerm } from "./tables/schedule-term.ts";

export interface Snapshot {
  readonly id: string;
  readonly generation: Generation;
  readonly tables: WholeTables;
  /** The same snapshot with the rows of COMPAT=1; absent without it. */
  readonly compat?: Snapshot;
  /** Made after the snapshot has come into service, and while it is asked for. */
  search(): Promise<SearchIndex>;
  /** Read when it is first asked for. */
  departmentCodes(): Promise<DepartmentCodes>;
  /** What is likely to be asked for next, but kept nobody waiting: a first snapshot's latest terms, the department codes and the search index. */
  prepare(): Promise<void>;
  /** Runs `use` on a term of the schedule, loading it if need be; undefined when the term is not published. */
  withTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> | undefined;
  /** The published terms of a table, latest first. */
  publishedTerms(table: TableName): Term[];
  /** Those of its terms that are loaded, most asked for first: the next snapshot has them loaded before it is served. */
  loadedTerms(): Term[];
  /** Gives back what only this snapshot holds. */
  free(): void;
}

/** How many of the latest terms are loaded before a first snapshot is served. */
const WARM_TERMS = 2;
/** How many of the terms that the snapshot before had loaded; more would keep what is new from being served. */
const MOST_WARM_TERMS = 4;

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
  pool,
  loadingPool,
  compat,
  before,
}: {
  generation: Generation;
  memory: TableMemory;
  /** For the terms that requests ask for; they wait for each other, and loading a snapshot for none of them. */
  pool: Pool;
  loadingPool: Pool;
  compat: boolean;
  before: Snapshot | undefined;
}): Promise<Snapshot> {
  const terms = termsIn(generation);
  const withdraw = memory.expect(new Set([...terms.values()].map(({ key }) => key)));
  const held: string[] = [];
  // No function below may speak of `before`: each snapshot would keep the one before it, and so all of them.
  const askedBefore = before?.loadedTerms();
  // Before a first snapshot nobody is served: its parts are loaded side by side.
  const by = before ? loadingPool : pool;

  async function hold<R extends string, More extends object = object>(
    loading: Loading<R>,
    also?: Also<More>,
  ): Promise<Loaded<R> & More> {
    const { paths, key } = filesOf(generation, loading.table);
    const loaded = await memory.hold(key, () => load(by, loading, publishedRows(loading.table, paths), also));
    held.push(key);
    return loaded;
  }

  /** What is made from loaded tables; snapshots in which none of these changed share it. */
  async function derive<T extends object>(from: readonly TableName[], make: () => Promise<T>): Promise<T> {
    const key = `compat ${from.map((table) => filesOf(generation, table).key).join(" ")}`;
    const made = await memory.hold(key, async () => ({ ...(await make()), drop: () => Promise.resolve() }));
    held.push(key);
    return made;
  }

  /** The tables with the rows of COMPAT=1. */
  const readCompat = async (tables: WholeTables): Promise<WholeTables> =>
    inCompat(
      tables,
      await derive(["courses", "instructors"], () => compatCatalogue(tables)),
      await derive(["larc"], () => compatTutorials(tables)),
    );

  const searchFiles = (["courses", "instructors", "departments"] as const).map((table) => filesOf(generation, table));
  const [courses, instructors, departments] = searchFiles as [Files, Files, Files];
  const searchKey = `search ${searchFiles.map(({ key }) => key).join(" ")}`;
  let searching: Promise<SearchIndex> | undefined;
  /** Made from three tables: snapshots in which none of them changed share it. */
  function search(): Promise<SearchIndex> {
    const files = { courses: courses.paths, instructors: instructors.paths, departments: departments.paths };
    searching ??= memory.hold(searchKey, async () => createSearchIndex(await readEntries(loadingPool, files)));
    searching.catch(() => (searching = undefined));
    return searching;
  }

  let codes: Promise<DepartmentCodes> | undefined;
  function departmentCodes(): Promise<DepartmentCodes> {
    const pathsOf = (table: TableName) => filesOf(generation, table).paths;
    codes ??= readDepartmentCodes(pool, {
      departments: pathsOf("departments"),
      headings: pathsOf("headings"),
      grades: pathsOf("grades"),
      courses: pathsOf("courses"),
      enrollment_history: pathsOf("enrollment_history"),
    });
    codes.catch(() => (codes = undefined));
    return codes;
  }

  async function useTerm<T>(files: TermFiles, by: Pool, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> {
    const { key, sections, headings } = files;
    const loaded = await memory.hold(key, () =>
      loadTerm(by, publishedRows("sections", sections), publishedRows("headings", headings)),
    );
    try {
      return await use(loaded);
    } finally {
      memory.release(key);
    }
  }

  function free(): void {
    for (const key of held.splice(0)) memory.release(key);
    void searching?.then(
      () => memory.release(searchKey),
      () => undefined,
    );
    withdraw();
  }

  const filesOfTerms = (wanted: readonly Term[]): TermFiles[] =>
    wanted.flatMap((term) => terms.get(termName(term)) ?? []);

  async function warm(wanted: readonly TermFiles[]): Promise<void> {
    for (const files of wanted) await useTerm(files, loadingPool, () => Promise.resolve());
  }

  try {
    const tables = await wholeTables(hold);
    const compatTables = compat ? await readCompat(tables) : undefined;
    const lacking = filesOfTerms(askedBefore ?? []).filter(({ key }) => memory.uses(key) === undefined);
    await warm(lacking.slice(0, MOST_WARM_TERMS));
    const snapshot: Snapshot = {
      id: generation.manifest.id,
      generation,
      tables,
      search,
      departmentCodes,
      async prepare() {
        if (!askedBefore) await warm([...terms.values()].slice(0, WARM_TERMS));
        await sideBySide([departmentCodes(), search()]);
      },
      withTerm(term, use) {
        const files = terms.get(termName(term));
        return files && useTerm(files, pool, use);
      },
      publishedTerms: (table) => publishedTerms(generation, table),
      loadedTerms: () =>
        [...terms.values()]
          .flatMap(({ term, key }) => ({ term, uses: memory.uses(key) }))
          .filter(({ uses }) => uses !== undefined)
          .sort((a, b) => (b.uses ?? 0) - (a.uses ?? 0))
          .map(({ term }) => term),
      free,
    };
    return compatTables ? { ...snapshot, compat: { ...snapshot, tables: compatTables } } : snapshot;
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
