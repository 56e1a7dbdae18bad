/** One published generation in memory: tables are loaded before it is served, schedule terms on first use. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../duckdb/pool.ts";
import { createDerived, type Derivation, type Derived } from "./loading/derived.ts";
import { createPacer } from "./event-loop-yielder.ts";
import { type Generation, versionsOf } from "./generation.ts";
import { createLoadedTables, type LoadedTables } from "./loading/loaded-tables.ts";
import type { Parts } from "./loading/parts.ts";
import { settleAll } from "./settle-all.ts";
import type { Droppable, TableCache } from "./loading/table-cache.ts";
import { publishedTerms, createTerms, type Terms } from "./loading/terms.ts";
import { LOADED_TABLES, type LoadedTable } from "./tables/all.ts";

export interface Snapshot
  extends
    Pick<LoadedTables, "tables" | "load" | "isLoaded">,
    Pick<Terms, "withTerm" | "loadedTerms">,
    Pick<Derived, "derive" | "find" | "derivations"> {
  readonly id: string;
  readonly generation: Generation;
  /** By table: the same for snapshots with the same files of it. */
  readonly versions: Readonly<Record<TableName, string>>;
  /** Loads tables that are not loaded yet, then the latest terms of a first snapshot, then the given derivations and those of the previous snapshot. */
  prepare(): Promise<void>;
  /** Of its files, shared with other snapshots. */
  readonly parts: Parts;
  /** The published terms of a table, latest first. */
  publishedTerms(table: TableName): readonly Term[];
  /** Releases every table that this snapshot uses. */
  dispose(): void;
}

/** Latest terms that a first snapshot preloads. */
const WARM_TERMS = 2;
/** Terms of the previous snapshot that are preloaded; more would delay the swap. */
const MAX_WARM_TERMS = 4;

/** The listings, which clients ask for first, need grades, which take the longest. */
const LOADED_FIRST: readonly LoadedTable[] = ["grades", "terms", "departments", "calendar"];

/** @throws when a table does not load; every table loaded so far is released */
export async function createSnapshot({
  generation,
  tableCache,
  parts: madeParts,
  pool,
  loadingPool,
  derivations = [],
  before,
  earlier = false,
  servesEarly = false,
}: {
  generation: Generation;
  tableCache: TableCache;
  parts: Parts;
  /** For terms that requests need; `loadingPool` is reserved for loading snapshots, which never waits for requests. */
  pool: Pool;
  loadingPool: Pool;
  derivations?: readonly Derivation<Droppable>[];
  before?: Snapshot | undefined;
  /** Not the current one: nothing is loaded ahead. */
  earlier?: boolean;
  /** Its tables are loaded by `prepare`, or by the requests that come before. */
  servesEarly?: boolean;
}): Promise<Snapshot> {
  // Do not capture `before`: it would retain every earlier snapshot.
  const termsBefore = before?.loadedTerms();
  const derivationsBefore = before?.derivations() ?? [];
  const generationBefore = before?.generation;
  // Whoever asks about the past can wait; whoever asks about the present should not notice.
  const createPace = earlier ? createPacer : undefined;
  // Nothing is served before the first snapshot: it may use every connection.
  const loader = before ? loadingPool : pool;
  const parts = { generation, tableCache, createPace };
  const { tables, load, isLoaded, release } = createLoadedTables({ ...parts, pool: loader });
  const terms = createTerms({ ...parts, pool, earlier });
  const derived = createDerived({ ...parts, pool: loadingPool });
  const releaseParts = madeParts.expect(generation);
  const termsByTable = new Map<TableName, readonly Term[]>();

  function dispose(): void {
    release();
    derived.release();
    terms.release();
    releaseParts();
  }

  /** So that the first question after a swap is like any other; it reports what fails. */
  async function prepareWhatIsUsed(generationBefore: Generation): Promise<void> {
    const ahead = derivationsBefore.filter(({ isAhead }) => isAhead);
    await Promise.allSettled([
      madeParts.succeed(generationBefore, generation, loadingPool),
      ...ahead.map((derivation) => derived.derive(derivation)),
    ]);
  }

  try {
    if (!earlier && !servesEarly) await load(LOADED_TABLES);
    if (termsBefore) await terms.preload(loadingPool, MAX_WARM_TERMS, termsBefore);
    if (generationBefore) await prepareWhatIsUsed(generationBefore);
    const snapshot: Snapshot = {
      id: generation.manifest.id,
      generation,
      versions: versionsOf(generation),
      tables,
      load,
      isLoaded,
      withTerm: terms.withTerm,
      loadedTerms: terms.loadedTerms,
      derive: derived.derive,
      find: derived.find,
      derivations: derived.derivations,
      parts: madeParts,
      async prepare() {
        await load(LOADED_FIRST);
        await load(LOADED_TABLES);
        if (!termsBefore) await terms.preload(loadingPool, WARM_TERMS);
        await settleAll([...derivations, ...derivationsBefore].map(derived.derive));
      },
      publishedTerms(table) {
        const found = termsByTable.get(table) ?? publishedTerms(generation, table);
        termsByTable.set(table, found);
        return found;
      },
      dispose,
    };
    return snapshot;
  } catch (error) {
    dispose();
    throw error;
  }
}
