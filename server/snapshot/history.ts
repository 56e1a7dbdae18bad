/**
 * Earlier snapshots (server/RULES.md, Time). A snapshot is opened on its first request and loads only the tables that
 * requests need; tables that it shares with the current snapshot are not loaded again. Few are open at once, and they
 * have reserved connections.
 */
import { EventEmitter } from "node:events";
import type { OriginSnapshots } from "../../pipeline/store/earlier-snapshots.ts";
import { CONTRACT_VERSION, type TableName } from "../../pipeline/contract/tables.ts";
import { needsMigration } from "../../pipeline/store/published.ts";
import type { Pool } from "../duckdb/pool.ts";
import { verifyFiles } from "../../pipeline/store/file-check.ts";
import {
  createEarlierSnapshots,
  HistoryBusy,
  NeedsMigration,
  type Retained,
  type Served,
} from "./earlier-generations.ts";
import { once, settleAll } from "./shared-work.ts";
import { type AcquireLease, createSnapshot, type Snapshot, type SnapshotLease, takeLease } from "./snapshot.ts";
import type { Parts } from "./loading/parts.ts";
import type { TableCache } from "./loading/table-cache.ts";
import { isLoadedTable } from "./tables/all.ts";

/** The limits of open snapshots, and of the JSON of tables that only they use. */
const MAX_OPEN = 5;
const MAX_BYTES = 512 * 1024 * 1024;
const CLOSE_UNUSED_MS = 300_000;
/** How long a request waits while every open snapshot is in use. */
const MAX_WAIT_MS = 10_000;
const MAX_WAITING = 256;
const CONNECTIONS = 2;

export type History = ReturnType<typeof openHistory>;

interface Open {
  readonly snapshot: Promise<Snapshot>;
  readonly verified: Set<string>;
  readonly verifying: Map<TableName, Promise<void>>;
  leases: number;
  lastUse: number;
}

export function openHistory({
  artifactsDir,
  tableCache,
  parts,
  pool,
  current,
  isVerified,
  origin,
}: {
  artifactsDir: string;
  tableCache: TableCache;
  parts: Parts;
  pool: Pool;
  current: () => Served | undefined;
  /** True if the file with this key was verified for the current snapshot. */
  isVerified: (key: string) => boolean;
  origin: OriginSnapshots | undefined;
}) {
  const generations = createEarlierSnapshots(artifactsDir, current, origin);
  /** Least recently used first. */
  const open = new Map<string, Open>();
  const releases = new EventEmitter().setMaxListeners(0);
  let waiting = 0;
  let reserved: Promise<Pool> | undefined;
  const reservedPool = () => (reserved ??= pool.reserve(CONNECTIONS, { timed: true }));

  function closeSnapshot(folderName: string, { snapshot }: Open): void {
    open.delete(folderName);
    void snapshot.then(
      (opened) => opened.dispose(),
      () => undefined,
    );
  }
  /** Closes the least recently used snapshot that is not in use. */
  function closeUnused(since = Infinity): boolean {
    const unused = [...open].find(([, { leases, lastUse }]) => leases === 0 && lastUse <= since);
    if (unused) closeSnapshot(...unused);
    return unused !== undefined;
  }
  const timer = setInterval(() => {
    while (closeUnused(performance.now() - CLOSE_UNUSED_MS));
  }, CLOSE_UNUSED_MS / 10).unref();

  async function openSnapshot(retained: Retained): Promise<Snapshot> {
    const published = await generations.readComplete(retained);
    const { contract } = published.manifest;
    if (contract !== CONTRACT_VERSION) throw new NeedsMigration(needsMigration(retained.id, contract));
    const loadingPool = await reservedPool();
    return createSnapshot({ published, tableCache, parts, pool: loadingPool, loadingPool, earlier: true });
  }

  const takeLeaseOn = (entry: Open): SnapshotLease =>
    takeLease(entry, () => {
      entry.lastUse = performance.now();
      if (entry.leases === 0) releases.emit("released");
    });

  async function acquire(retained: Retained, signal: AbortSignal): Promise<{ entry: Open; lease: SnapshotLease }> {
    const { folderName } = retained;
    let deadline: AbortSignal | undefined;
    for (;;) {
      signal.throwIfAborted();
      let entry = open.get(folderName);
      if (!entry && (open.size < MAX_OPEN || closeUnused())) {
        entry = {
          snapshot: openSnapshot(retained),
          verified: new Set(),
          verifying: new Map(),
          leases: 0,
          lastUse: performance.now(),
        };
        const opened = entry;
        opened.snapshot.catch(() => open.get(folderName) === opened && open.delete(folderName));
      }
      if (entry) {
        // The map is in the order of last use.
        open.delete(folderName);
        open.set(folderName, entry);
        return { entry, lease: takeLeaseOn(entry) };
      }
      if (waiting >= MAX_WAITING) throw new HistoryBusy();
      waiting++;
      deadline ??= AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
      await EventEmitter.once(releases, "released", { signal: deadline })
        .catch(() => {
          signal.throwIfAborted();
          throw new HistoryBusy();
        })
        .finally(() => waiting--);
    }
  }

  function verify({ verified, verifying }: Open, { published }: Snapshot, table: TableName): Promise<void> {
    return once(verifying, table, async () => {
      const files = published.manifest.files.filter((file) => file.table === table);
      const sound = await verifyFiles(published.folder, files, (key) => verified.has(key) || isVerified(key));
      for (const key of sound) verified.add(key);
    });
  }

  async function limitBytes(): Promise<void> {
    const shared = new Set<unknown>(Object.values(current()?.snapshot.tables ?? {}));
    const settled = await Promise.allSettled([...open.values()].map(({ snapshot }) => snapshot));
    const tables = new Set(
      settled.flatMap((result) => (result.status === "fulfilled" ? Object.values(result.value.tables) : [])),
    );
    const bytes = [...tables].filter((table) => !shared.has(table)).reduce((sum, table) => sum + table.bytes, 0);
    if (bytes > MAX_BYTES && closeUnused()) await limitBytes();
  }

  return {
    ...generations,
    /** The connections for answering from earlier snapshots. */
    pool: reservedPool,
    /**
     * Runs `use` on an earlier snapshot with these tables, whose files are verified.
     * @throws DamagedSnapshot when a file is damaged or missing; HistoryBusy; NeedsMigration; the signal's reason
     */
    async withSnapshot<T>(
      retained: Retained,
      tables: readonly TableName[],
      use: (snapshot: Snapshot, acquire: AcquireLease) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      const { entry, lease } = await acquire(retained, signal);
      try {
        const snapshot = await entry.snapshot;
        await settleAll(tables.map((table) => verify(entry, snapshot, table)));
        await snapshot.load(tables.filter(isLoadedTable));
        await limitBytes();
        signal.throwIfAborted();
        return await use(snapshot, () => takeLeaseOn(entry));
      } finally {
        lease.release();
      }
    },
    close(): void {
      clearInterval(timer);
      for (const [folderName, entry] of open) closeSnapshot(folderName, entry);
    },
  };
}
