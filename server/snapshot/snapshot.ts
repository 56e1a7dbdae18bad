/** One published generation in memory: tables are loaded before it is served, schedule terms on first use. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import { type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { compatCatalogue, compatTutorials } from "./tables/compat-rows.ts";
import { createDerived, type Derivation } from "./derived.ts";
import { createPacer } from "./event-loop-yielder.ts";
import { filesOf, type Generation, versionsOf } from "./generation.ts";
import { load, publishedRows } from "./loading.ts";
import type { Pool } from "../duckdb/pool.ts";
import { settleAll } from "./settle-all.ts";
import type { Droppable, TableCache } from "./table-cache.ts";
import { historiesIn, publishedTerms, type TermFiles, termsIn } from "./term-files.ts";
import { LOADED_TABLES, type LoadedTable, LOADERS, type LoadTable, type SnapshotTables } from "./tables/all.ts";
import { type LoadedHistory, loadHistoryTerm } from "./tables/history-term.ts";
import { type LoadedTerm, loadTerm } from "./tables/schedule-term.ts";

export interface Snapshot {
  readonly id: string;
  readonly generation: Generation;
  /** By table: the same for snapshots with the same files of it. */
  readonly versions: Readonly<Record<TableName, string>>;
  /** Those that are loaded: all of the current snapshot, and what `load` was asked for. */
  readonly tables: SnapshotTables;
  load(names: readonly LoadedTable[]): Promise<void>;
  /** Whether every table is loaded. */
  isLoaded(): boolean;
  /** The same snapshot with the rows of COMPAT=1; absent without it. */
  readonly compat?: Snapshot;
  /** Makes it on first use. */
  derive<T extends Droppable>(derivation: Derivation<T>): Promise<T>;
  /** Loads tables that are not loaded yet, then the latest terms of a first snapshot, then the given derivations. */
  prepare(): Promise<void>;
  /** Runs `use` on a term of the schedule, loading it if need be; undefined when the term is not published. */
  withTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> | undefined;
  /** Runs `use` on a term of the enrollment history, which is loaded at its third request; undefined before, and when it is not published. */
  withHistory<T>(term: Term, use: (loaded: LoadedHistory) => Promise<T>): Promise<T | undefined>;
  /** The published terms of a table, latest first. */
  publishedTerms(table: TableName): readonly Term[];
  /** The loaded terms, most used first: the next snapshot preloads them. */
  loadedTerms(): Term[];
  /** Releases every table that this snapshot uses. */
  dispose(): void;
}

/** Latest terms that a first snapshot preloads. */
const WARM_TERMS = 2;
/** Terms of the previous snapshot that are preloaded; more would delay the swap. */
const MAX_WARM_TERMS = 4;

/** The listings, which clients ask for first, need grades, which take the longest. */
const LOADED_FIRST: readonly LoadedTable[] = ["grades", "terms", "departments", "calendar"];

/** A term's history is loaded at this request of a snapshot: loading takes longer than reading the files once. */
const HISTORY_REQUESTS = 3;

/** @throws when a table does not load; every table loaded so far is released */
export async function createSnapshot({
  generation,
  tableCache,
  pool,
  loadingPool,
  compat,
  derivations,
  before,
  earlier = false,
  servesEarly = false,
}: {
  generation: Generation;
  tableCache: TableCache;
  /** For terms that requests need; `loadingPool` is reserved for loading snapshots, which never waits for requests. */
  pool: Pool;
  loadingPool: Pool;
  compat: boolean;
  derivations: readonly Derivation<Droppable>[];
  before: Snapshot | undefined;
  /** Not the current one: nothing is loaded ahead. */
  earlier?: boolean;
  /** Its tables are loaded by `prepare`, or by the requests that come before. */
  servesEarly?: boolean;
}): Promise<Snapshot> {
  const terms = termsIn(generation);
  const histories = historiesIn(generation);
  const withdrawExpected = tableCache.expect(
    new Set([...terms.values(), ...histories.values()].map(({ key }) => key)),
    earlier,
  );
  const acquired: string[] = [];
  // Do not capture `before`: it would retain every earlier snapshot.
  const termsBefore = before?.loadedTerms();
  // Nothing is served before the first snapshot: it may use every connection.
  const by = before ? loadingPool : pool;
  // Whoever asks about the past can wait; whoever asks about the present should not notice.
  const createPace = earlier ? createPacer : undefined;

  const loadTable: LoadTable = async (loading, loadMore) => {
    const { paths, key } = filesOf(generation, loading.table);
    const loaded = await tableCache.acquire(key, () =>
      load(by, loading, publishedRows(loading.table, paths), loadMore, createPace),
    );
    acquired.push(key);
    return loaded;
  };

  /** Snapshots whose `from` tables are the same share the result. */
  async function rewrite<T extends object>(from: readonly TableName[], make: () => Promise<T>): Promise<T> {
    const key = `compat ${from.map((table) => filesOf(generation, table).key).join(" ")}`;
    const made = await tableCache.acquire(key, async () => ({ ...(await make()), drop: () => Promise.resolve() }));
    acquired.push(key);
    return made;
  }

  const tables = {} as SnapshotTables;
  // Tables that COMPAT=1 does not rewrite are found through the prototype.
  const compatTables = Object.create(tables) as SnapshotTables;
  const loads = new Map<string, Promise<void>>();
  function once(name: string, run: () => Promise<void>): Promise<void> {
    let running = loads.get(name);
    if (running) return running;
    running = run();
    loads.set(name, running);
    running.catch(() => loads.delete(name));
    return running;
  }

  const loadPlain = (names: readonly LoadedTable[]) =>
    settleAll(
      names.map((name) =>
        once(name, async () => void Object.assign(tables, { [name]: await LOADERS[name](loadTable) })),
      ),
    );

  const rewriteCatalogue = () =>
    once("compat catalogue", async () => {
      await loadPlain(["courses", "instructors"]);
      const jsonRows = await rewrite(["courses", "instructors"], () => compatCatalogue(tables));
      const { courses, instructors } = tables;
      Object.assign(compatTables, { courses: { ...courses, jsonRows }, instructors: { ...instructors, jsonRows } });
    });
  const rewriteTutorials = () =>
    once("compat tutorials", async () => {
      await loadPlain(["larc"]);
      const jsonRows = await rewrite(["larc"], () => compatTutorials(tables));
      Object.assign(compatTables, { larc: { ...tables.larc, jsonRows } });
    });

  async function loadTables(names: readonly LoadedTable[]): Promise<void> {
    await loadPlain(names);
    if (!compat) return;
    if (names.includes("courses") || names.includes("instructors")) await rewriteCatalogue();
    if (names.includes("larc")) await rewriteTutorials();
  }

  const termsByTable = new Map<TableName, readonly Term[]>();
  const derived = createDerived({ generation, tableCache, pool: loadingPool });

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

  function useTerm<T>({ key, sections, headings }: TermFiles, by: Pool, use: (loaded: LoadedTerm) => Promise<T>) {
    const make = () =>
      loadTerm(by, publishedRows("sections", sections), publishedRows("headings", headings), createPace);
    return withTable(key, make, use);
  }

  async function useHistory<T>(term: Term, use: (loaded: LoadedHistory) => Promise<T>): Promise<T | undefined> {
    const files = histories.get(termName(term));
    if (!files || ++files.requests < HISTORY_REQUESTS) return undefined;
    const history = publishedRows("enrollment_history", files.history);
    const periods = publishedRows("enrollment_periods", files.periods);
    return withTable(files.key, () => loadHistoryTerm(pool, history, periods), use);
  }

  function dispose(): void {
    for (const key of acquired.splice(0)) tableCache.release(key);
    derived.release();
    withdrawExpected();
  }

  const filesOfTerms = (wanted: readonly Term[]): TermFiles[] =>
    wanted.flatMap((term) => terms.get(termName(term)) ?? []);

  async function warm(wanted: readonly TermFiles[]): Promise<void> {
    for (const files of wanted) await useTerm(files, loadingPool, () => Promise.resolve());
  }

  try {
    if (!earlier && !servesEarly) await loadTables(LOADED_TABLES);
    const lacking = filesOfTerms(termsBefore ?? []).filter(({ key }) => tableCache.uses(key) === undefined);
    await warm(lacking.slice(0, MAX_WARM_TERMS));
    const snapshot: Snapshot = {
      id: generation.manifest.id,
      generation,
      versions: versionsOf(generation),
      tables,
      load: loadTables,
      isLoaded: () => LOADED_TABLES.every((name) => name in tables),
      derive: derived.derive,
      async prepare() {
        await loadTables(LOADED_FIRST);
        await loadTables(LOADED_TABLES);
        if (!termsBefore) await warm([...terms.values()].slice(0, WARM_TERMS));
        await settleAll(derivations.map(derived.derive));
      },
      withTerm(term, use) {
        const files = terms.get(termName(term));
        return files && useTerm(files, pool, use);
      },
      withHistory: useHistory,
      publishedTerms(table) {
        const found = termsByTable.get(table) ?? publishedTerms(generation, table);
        termsByTable.set(table, found);
        return found;
      },
      loadedTerms: () =>
        [...terms.values()]
          .flatMap(({ term, key }) => ({ term, uses: tableCache.uses(key) }))
          .filter(({ uses }) => uses !== undefined)
          .sort((a, b) => (b.uses ?? 0) - (a.uses ?? 0))
          .map(({ term }) => term),
      dispose,
    };
    return compat ? { ...snapshot, compat: { ...snapshot, tables: compatTables } } : snapshot;
  } catch (error) {
    dispose();
    throw error;
  }
}
