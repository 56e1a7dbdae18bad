/**
 * Owns the served snapshot. A new snapshot is verified and loaded while the old one serves; then new requests get the
 * new snapshot, requests in flight finish on theirs, and a snapshot without leases is disposed. A snapshot that fails
 * to load is rejected and the last good one stays.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isMade } from "../../pipeline/contract/documents/manifest.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Log } from "../../pipeline/log.ts";
import { NO_FRESHNESS } from "../../pipeline/store/freshness.ts";
import type { PublishedSnapshot } from "./generation.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { Derivation } from "./loading/derived.ts";
import type { OriginSnapshots } from "../../pipeline/store/earlier-snapshots.ts";
import { openHistory } from "./history.ts";
import { type AcquireLease, createSnapshot, type Snapshot, type SnapshotLease, takeLease } from "./snapshot.ts";
import { startUpdates } from "./updates.ts";
import { isLoadedTable } from "./tables/all.ts";
import { createParts } from "./loading/parts.ts";
import { createTableCache, type Droppable } from "./loading/table-cache.ts";

/** Between two loads requests get as much time as the last load took, but at most this long. */
const MAX_REST_MS = 250;

export type Store = Awaited<ReturnType<typeof openStore>>;

interface StoreEvents {
  /** Called when a snapshot goes into service; `previous` is the id of the one before. */
  swapped(previous: string | undefined): void;
  /** Once per rejected snapshot. */
  refused(): void;
  /** Nothing uses a previous snapshot any more. */
  disposed?(current: Snapshot | undefined): void;
}

interface ServedSnapshot {
  readonly folderName: string;
  readonly snapshot: Snapshot;
  leases: number;
  isRetired: boolean;
  /** Settles when everything is loaded, or an older snapshot is served instead. */
  prepared: Promise<void>;
}

/** Opens the store on an artifacts folder, with what is there already loaded. */
export async function openStore({
  artifactsDir,
  pool,
  log,
  derivations = [],
  servesEarly = false,
  pollMs,
  origin,
  events,
}: {
  artifactsDir: string;
  pool: Pool;
  log: Log;
  /** Data that is derived from each snapshot once it is served. */
  derivations?: readonly Derivation<Droppable>[];
  /** True to serve the first snapshot when its files are verified; requests wait for the tables that they need. */
  servesEarly?: boolean;
  pollMs?: number;
  origin?: OriginSnapshots | undefined;
  events?: StoreEvents;
}) {
  const verified = new Set<string>();
  const tableCache = createTableCache();
  const loadingPool = await pool.reserve(1);
  const parts = createParts(loadingPool);
  let served: ServedSnapshot | undefined;
  let fresh = NO_FRESHNESS;
  let isClosed = false;
  let files: { published: PublishedSnapshot; checkedAt: number; missing: Promise<ReadonlySet<string>> } | undefined;
  const history = openHistory({
    artifactsDir,
    tableCache,
    parts,
    pool,
    current: () => served,
    isVerified: (key) => verified.has(key),
    origin,
  });

  const acquire = (entry: ServedSnapshot): SnapshotLease => takeLease(entry, () => disposeUnused(entry));
  function disposeUnused(entry: ServedSnapshot): void {
    if (!entry.isRetired || entry.leases > 0) return;
    entry.snapshot.dispose();
    events?.disposed?.(served?.snapshot);
  }

  async function swapTo(published: PublishedSnapshot, folderName: string, isFallback: boolean): Promise<number> {
    const began = performance.now();
    const early = servesEarly && !isFallback && !served;
    const snapshot = await createSnapshot({
      published,
      tableCache,
      parts,
      pool,
      loadingPool,
      derivations,
      previous: served?.snapshot,
      servesEarly: early,
    });
    const old = served;
    const next: ServedSnapshot = { folderName, snapshot, leases: 0, isRetired: false, prepared: Promise.resolve() };
    served = next;
    const servedAt = performance.now();
    log.info("serving snapshot", { id: snapshot.id, generation: published.manifest.generation });
    events?.swapped(old?.snapshot.id);
    // Starts before the old snapshot is disposed, because both share unchanged tables. A failure recurs and is reported
    // on the request that needs the table.
    const lease = acquire(next);
    next.prepared = snapshot
      .prepare()
      .catch((error: unknown) => {
        if (early && !snapshot.isLoaded() && served === next && !isClosed) return updates.giveUp(folderName, error);
      })
      .finally(() => lease.release());
    if (old) {
      old.isRetired = true;
      disposeUnused(old);
    }
    return servedAt + Math.min(servedAt - began, MAX_REST_MS);
  }

  const updates = startUpdates({
    artifactsDir,
    verified,
    pollMs,
    servedName: () => served?.folderName,
    serve: swapTo,
    log,
    onFreshness: (freshness) => (fresh = freshness),
    onReject: () => events?.refused(),
  });

  /**
   * Runs `use` with a lease on the current snapshot, in which these tables are loaded, until the returned promise
   * settles; undefined before the first publication.
   */
  function withSnapshot<T>(
    use: (snapshot: Snapshot, acquire: AcquireLease) => Promise<T>,
    tables: readonly TableName[] = [],
  ): Promise<T> | undefined {
    const entry = served;
    if (!entry) return undefined;
    const { snapshot } = entry;
    const lease = acquire(entry);
    const go = () => use(snapshot, () => acquire(entry));
    const response = snapshot.isLoaded()
      ? go()
      : snapshot.load(tables.filter(isLoadedTable)).then(go, (error) => again(entry, error));
    return response.finally(() => lease.release());

    /** Retries with the older snapshot that is served if this one does not load. */
    async function again(failed: ServedSnapshot, error: unknown): Promise<T> {
      await failed.prepared;
      const response = served === failed ? undefined : withSnapshot(use, tables);
      if (!response) throw error;
      return response;
    }
  }

  await updates.check();

  return {
    withSnapshot,
    /** The served snapshot, and why a newer snapshot was rejected; `lastRefused` survives the next swap. */
    state: () => ({
      id: served?.snapshot.id,
      generation: served?.snapshot.published.manifest.generation,
      refused: updates.rejected()?.why,
      lastRefused: updates.lastRejected(),
    }),
    current: () => served?.snapshot,
    /** Resolves when all of the served snapshot is loaded, or an older one is served instead of it. */
    prepared: async () => served?.prepared,
    /**
     * Returns the tables of the current snapshot with a missing file: files are read on first use, and may be deleted
     * before. The result is at most `maxAgeMs` old.
     */
    missingTables(published: PublishedSnapshot, maxAgeMs = 0): Promise<ReadonlySet<string>> {
      const now = performance.now();
      if (files?.published !== published || now - files.checkedAt > maxAgeMs)
        files = { published, checkedAt: now, missing: findMissing(published) };
      return files.missing;
    },
    history,
    /** Why nothing is served, when waiting does not help; otherwise undefined. */
    mismatch(): string | undefined {
      const rejected = served ? undefined : updates.rejected();
      return rejected?.isOtherContract ? rejected.why : undefined;
    },
    freshness: () => fresh,
    checkForUpdate: updates.check,
    async close(): Promise<void> {
      isClosed = true;
      history.close();
      await updates.close();
    },
  };
}

async function findMissing({ folder, manifest }: PublishedSnapshot): Promise<ReadonlySet<string>> {
  const files = manifest.files.filter((file) => !isMade(file));
  const isThere = await Promise.all(
    files.map(({ path, bytes }) =>
      stat(join(folder, path)).then(
        ({ size }) => size === bytes,
        () => false,
      ),
    ),
  );
  return new Set(files.filter((_, i) => !isThere[i]).map(({ table }) => table));
}
