/** One published generation in memory: whole tables are loaded before it is served, terms of the schedule when they are first asked for. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { compareTerms, type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { compatCatalogue, compatTutorials, inCompat } from "./tables/compat-tables.ts";
import { filesOf, type Generation } from "./generation.ts";
import { type Also, type Loaded, type Loading, load, publishedRows } from "./loading.ts";
import type { Pool } from "../duckdb/pool.ts";
import { settleAll } from "./settle-all.ts";
import type { Droppable, TableCache } from "./table-cache.ts";
import { loadSnapshotTables, type SnapshotTables } from "./tables/all.ts";
import { type LoadedTerm, loadTerm } from "./tables/schedule-term.ts";

/** Something made from whole tables, such as a search index. */
export interface Derivation<T extends Droppable> {
  readonly name: string;
  readonly tables: readonly TableName[];
  /** `files[table]` are the paths of the table's files. */
  make(pool: Pool, files: Readonly<Partial<Record<TableName, readonly string[]>>>): Promise<T>;
}

export interface Snapshot {
  readonly id: string;
  readonly generation: Generation;
  readonly tables: SnapshotTables;
  /** The same snapshot with the rows of COMPAT=1; absent without it. */
  readonly compat?: Snapshot;
  /** Makes it on first use; snapshots whose files of these tables are the same share it. */
  derive<T extends Droppable>(derivation: Derivation<T>): Promise<T>;
  /** Makes what is likely to be requested next: a first snapshot's latest terms, then the given derivations. */
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
const MAX_WARM_TERMS = 4;

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
  derivations,
  before,
}: {
  generation: Generation;
  memory: TableCache;
  /** For the terms that requests ask for; they wait for each other, and loading a snapshot for none of them. */
  pool: Pool;
  loadingPool: Pool;
  compat: boolean;
  derivations: readonly Derivation<Droppable>[];
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
  async function rewrite<T extends object>(from: readonly TableName[], make: () => Promise<T>): Promise<T> {
    const key = `compat ${from.map((table) => filesOf(generation, table).key).join(" ")}`;
    const made = await memory.hold(key, async () => ({ ...(await make()), drop: () => Promise.resolve() }));
    held.push(key);
    return made;
  }

  /** The tables with the rows of COMPAT=1. */
  const readCompat = async (tables: SnapshotTables): Promise<SnapshotTables> =>
    inCompat(
      tables,
      await rewrite(["courses", "instructors"], () => compatCatalogue(tables)),
      await rewrite(["larc"], () => compatTutorials(tables)),
    );

  const derived = new Map<string, Promise<Droppable>>();
  function derive<T extends Droppable>({ name, tables, make }: Derivation<T>): Promise<T> {
    const files = tables.map((table) => [table, filesOf(generation, table)] as const);
    const key = `${name} ${files.map(([, file]) => file.key).join(" ")}`;
    const known = derived.get(key);
    if (known) return known as Promise<T>;
    const made = memory.hold(key, () =>
      make(loadingPool, Object.fromEntries(files.map(([table, { paths }]) => [table, paths]))),
    );
    derived.set(key, made);
    made.catch(() => derived.delete(key));
    return made;
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
    for (const [key, made] of derived) {
      void made.then(
        () => memory.release(key),
        () => undefined,
      );
    }
    withdraw();
  }

  const filesOfTerms = (wanted: readonly Term[]): TermFiles[] =>
    wanted.flatMap((term) => terms.get(termName(term)) ?? []);

  async function warm(wanted: readonly TermFiles[]): Promise<void> {
    for (const files of wanted) await useTerm(files, loadingPool, () => Promise.resolve());
  }

  try {
    const tables = await loadSnapshotTables(hold);
    const compatTables = compat ? await readCompat(tables) : undefined;
    const lacking = filesOfTerms(askedBefore ?? []).filter(({ key }) => memory.uses(key) === undefined);
    await warm(lacking.slice(0, MAX_WARM_TERMS));
    const snapshot: Snapshot = {
      id: generation.manifest.id,
      generation,
      tables,
      derive,
      async prepare() {
        if (!askedBefore) await warm([...terms.values()].slice(0, WARM_TERMS));
        await settleAll(derivations.map(derive));
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
