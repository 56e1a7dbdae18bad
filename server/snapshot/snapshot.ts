/** A published snapshot in memory: tables are loaded before it is served, schedule terms on first use. */
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../duckdb/pool.ts";
import { createDerived, type Derivation, type Derived } from "./loading/derived.ts";
import { filesOf, type PublishedSnapshot, versionsOf } from "./generation.ts";
import { load as loadRows, rowsOf } from "./loading/loading.ts";
import type { Parts } from "./loading/parts.ts";
import { once, settleAll } from "./shared-work.ts";
import type { Droppable, LoadingParts, TableCache } from "./loading/table-cache.ts";
import { createTerms, type Terms } from "./loading/terms.ts";
import { LOADED_TABLES, type LoadedTable, LOADERS, type LoadTable, type SnapshotTables } from "./tables/all.ts";

export interface Snapshot
  extends
    Pick<ReturnType<typeof createLoadedTables>, "tables" | "load" | "isLoaded">,
    Pick<Terms, "withTerm" | "loadedTerms">,
    Pick<Derived, "derive" | "find" | "derivations"> {
  readonly id: string;
  readonly published: PublishedSnapshot;
  /** The version of each table, which is the same for snapshots with the same files of it. */
  readonly versions: Readonly<Record<TableName, string>>;
  /**
   * Loads the missing tables, then the latest terms of a first snapshot, then the given derivations and those of the
   * previous snapshot.
   */
  prepare(): Promise<void>;
  /** The cache of data loaded from its files, shared with other snapshots. */
  readonly parts: Parts;
  /** The published terms of the schedule, latest first. */
  readonly publishedTerms: readonly Term[];
  dispose(): void;
}

/** The number of latest terms that a first snapshot preloads. */
const WARM_TERMS = 2;
/** The most terms of the previous snapshot that are preloaded; more would delay the swap. */
const MAX_WARM_TERMS = 4;

/** The tables that are loaded first: clients request the listings first, which need grades, which take the longest. */
const LOADED_FIRST: readonly LoadedTable[] = ["grades", "terms", "departments", "calendar"];

/** Loads a snapshot. @throws when a table does not load; every table loaded so far is released */
export async function createSnapshot({
  published,
  tableCache,
  parts: fileParts,
  pool,
  loadingPool,
  derivations = [],
  previous,
  earlier = false,
  servesEarly = false,
}: {
  published: PublishedSnapshot;
  tableCache: TableCache;
  parts: Parts;
  /** Loads terms that requests need; `loadingPool` is reserved for loading snapshots, and never waits for requests. */
  pool: Pool;
  loadingPool: Pool;
  derivations?: readonly Derivation<Droppable>[];
  previous?: Snapshot | undefined;
  /** True for a snapshot other than the current one: nothing is loaded in advance. */
  earlier?: boolean;
  /** True if `prepare`, or earlier requests, load the tables. */
  servesEarly?: boolean;
}): Promise<Snapshot> {
  // Do not capture `previous`: it would retain every earlier snapshot.
  const previousTerms = previous?.loadedTerms();
  const previousDerivations = previous?.derivations() ?? [];
  const previouslyPublished = previous?.published;
  // Nothing is served before the first snapshot, so it may use every connection.
  const loader = previous ? loadingPool : pool;
  const parts = { published, tableCache };
  const { tables, load, isLoaded, release } = createLoadedTables({ ...parts, pool: loader });
  const terms = createTerms({ ...parts, pool, earlier });
  const derived = createDerived({ ...parts, pool: loadingPool });
  const releaseParts = fileParts.expect(published);

  function dispose(): void {
    release();
    derived.release();
    terms.release();
    releaseParts();
  }

  /**
   * Prepares what the previous snapshot had in use, so that the first request after a swap is as fast as any; the
   * request reports failures.
   */
  async function prepareWhatIsUsed(previouslyPublished: PublishedSnapshot): Promise<void> {
    const ahead = previousDerivations.filter(({ isAhead }) => isAhead);
    await Promise.allSettled([
      fileParts.carryOver(previouslyPublished, published, loadingPool),
      ...ahead.map((derivation) => derived.derive(derivation)),
    ]);
  }

  try {
    if (!earlier && !servesEarly) await load(LOADED_TABLES);
    if (previousTerms) await terms.preload(loadingPool, MAX_WARM_TERMS, previousTerms);
    if (previouslyPublished) await prepareWhatIsUsed(previouslyPublished);
    const snapshot: Snapshot = {
      id: published.manifest.id,
      published,
      versions: versionsOf(published),
      tables,
      load,
      isLoaded,
      withTerm: terms.withTerm,
      loadedTerms: terms.loadedTerms,
      derive: derived.derive,
      find: derived.find,
      derivations: derived.derivations,
      parts: fileParts,
      async prepare() {
        await load(LOADED_FIRST);
        await load(LOADED_TABLES);
        if (!previousTerms) await terms.preload(loadingPool, WARM_TERMS);
        await settleAll([...derivations, ...previousDerivations].map(derived.derive));
      },
      publishedTerms: terms.publishedTerms,
      dispose,
    };
    return snapshot;
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * The tables of a snapshot in memory: each is loaded once, on first use, and shared with snapshots that have the same
 * files.
 */
function createLoadedTables({ published, tableCache, pool }: LoadingParts) {
  const acquired: string[] = [];
  /** The tables that are loaded so far. */
  const tables = {} as SnapshotTables;

  const loadTable: LoadTable = async (loading, loadMore) => {
    const { key } = filesOf(published, loading.table);
    const loaded = await tableCache.acquire(key, () =>
      loadRows(pool, loading, rowsOf(published, loading.table), loadMore),
    );
    acquired.push(key);
    return loaded;
  };

  const loads = new Map<string, Promise<void>>();
  async function load(names: readonly LoadedTable[]): Promise<void> {
    const loadOne = (name: LoadedTable) =>
      once(loads, name, async () => void Object.assign(tables, { [name]: await LOADERS[name](loadTable) }));
    await settleAll(names.map(loadOne));
  }

  return {
    tables,
    load,
    isLoaded: () => LOADED_TABLES.every((name) => name in tables),
    release(): void {
      for (const key of acquired.splice(0)) tableCache.release(key);
    },
  };
}

/** Keeps a snapshot from being disposed. */
export interface SnapshotLease {
  /** Ends the lease; idempotent. */
  release(): void;
}

/** Takes another lease, for a body that outlives the promise of `withSnapshot`. */
export type AcquireLease = () => SnapshotLease;

/** Takes a lease. Calls `released` once, after the lease is no longer counted. */
export function takeLease(counted: { leases: number }, released: () => void): SnapshotLease {
  let isReleased = false;
  counted.leases++;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      counted.leases--;
      released();
    },
  };
}
