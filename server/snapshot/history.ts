/**
 * Earlier snapshots (server/RULES.md, Time). One is opened on its first request and loads only the tables that requests
 * need; tables that it shares with the current snapshot are not loaded again. Few are open at once, and they have
 * connections of their own.
 */
import { EventEmitter } from "node:events";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Pool } from "../duckdb/pool.ts";
import { verifyFiles } from "../../pipeline/store/file-check.ts";
import {
  createEarlierGenerations,
  type EarlierGenerations,
  HistoryBusy,
  type Origin,
  readToAnswer,
} from "./earlier-generations.ts";
import type { Retained, Served } from "./retained.ts";
import { once, settleAll } from "./shared-work.ts";
import { type AcquireLease, createSnapshot, type Snapshot, type SnapshotLease, takeLease } from "./snapshot.ts";
import type { Parts } from "./loading/parts.ts";
import type { TableCache } from "./loading/table-cache.ts";
import { isLoadedTable } from "./tables/all.ts";

/** Open snapshots, and the JSON of tables that only they use. */
const MAX_OPEN = 5;
const MAX_BYTES = 512 * 1024 * 1024;
const CLOSE_UNUSED_MS = 300_000;
/** A request waits so long while all of the open ones are in use. */
const MAX_WAIT_MS = 10_000;
const MAX_WAITING = 256;
const CONNECTIONS = 2;

export interface History extends EarlierGenerations {
  /** The connections for answering from earlier snapshots. */
  pool(): Promise<Pool>;
  /**
   * Runs `use` on an earlier snapshot with these tables, whose files are verified.
   * @throws DamagedGeneration when a file is damaged or missing; HistoryBusy; NeedsMigration; the signal's reason
   */
  withSnapshot<T>(
    one: Retained,
    tables: readonly TableName[],
    use: (snapshot: Snapshot, acquire: AcquireLease) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  close(): void;
}

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
  /** Whether a file, by its key, was verified for the current snapshot. */
  isVerified: (key: string) => boolean;
  /** Undefined when nothing is followed. */
  origin: Origin | undefined;
}): History {
  const generations = createEarlierGenerations(artifactsDir, current, origin);
  /** Least recently used first. */
  const open = new Map<string, Open>();
  const releases = new EventEmitter().setMaxListeners(0);
  let waiting = 0;
  let reserved: Promise<Pool> | undefined;
  const ownPool = () => (reserved ??= pool.reserve(CONNECTIONS, { timed: true }));

  function closeOne(folderName: string, { snapshot }: Open): void {
    open.delete(folderName);
    void snapshot.then(
      (opened) => opened.dispose(),
      () => undefined,
    );
  }
  /** Closes the least recently used one that is not in use. */
  function closeUnused(since = Infinity): boolean {
    const unused = [...open].find(([, { leases, lastUse }]) => leases === 0 && lastUse <= since);
    if (unused) closeOne(...unused);
    return unused !== undefined;
  }
  const timer = setInterval(() => {
    while (closeUnused(performance.now() - CLOSE_UNUSED_MS));
  }, CLOSE_UNUSED_MS / 10).unref();

  async function openOne(one: Retained): Promise<Snapshot> {
    const generation = await readToAnswer(one, await generations.readComplete(one));
    const by = await ownPool();
    return createSnapshot({ generation, tableCache, parts, pool: by, loadingPool: by, earlier: true });
  }

  const lease = (one: Open): SnapshotLease =>
    takeLease(one, () => {
      one.lastUse = performance.now();
      if (one.leases === 0) releases.emit("released");
    });

  async function acquire(asked: Retained, signal: AbortSignal): Promise<{ one: Open; held: SnapshotLease }> {
    const { folderName } = asked;
    let deadline: AbortSignal | undefined;
    for (;;) {
      signal.throwIfAborted();
      let one = open.get(folderName);
      if (!one && (open.size < MAX_OPEN || closeUnused())) {
        one = {
          snapshot: openOne(asked),
          verified: new Set(),
          verifying: new Map(),
          leases: 0,
          lastUse: performance.now(),
        };
        const opened = one;
        opened.snapshot.catch(() => open.get(folderName) === opened && open.delete(folderName));
      }
      if (one) {
        // The last one in the map is the last used one.
        open.delete(folderName);
        open.set(folderName, one);
        return { one, held: lease(one) };
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

  function verify({ verified, verifying }: Open, { generation }: Snapshot, table: TableName): Promise<void> {
    return once(verifying, table, async () => {
      const files = generation.manifest.files.filter((file) => file.table === table);
      const sound = await verifyFiles(generation.folder, files, (key) => verified.has(key) || isVerified(key));
      for (const key of sound) verified.add(key);
    });
  }

  async function limitBytes(): Promise<void> {
    const shared = new Set<unknown>(Object.values(current()?.snapshot.tables ?? {}));
    const all = await Promise.allSettled([...open.values()].map(({ snapshot }) => snapshot));
    const own = new Set(all.flatMap((one) => (one.status === "fulfilled" ? Object.values(one.value.tables) : [])));
    const bytes = [...own].filter((table) => !shared.has(table)).reduce((sum, table) => sum + table.bytes, 0);
    if (bytes > MAX_BYTES && closeUnused()) await limitBytes();
  }

  return {
    ...generations,
    pool: ownPool,
    async withSnapshot(asked, tables, use, signal) {
      const { one, held } = await acquire(asked, signal);
      try {
        const snapshot = await one.snapshot;
        await settleAll(tables.map((table) => verify(one, snapshot, table)));
        await snapshot.load(tables.filter(isLoadedTable));
        await limitBytes();
        signal.throwIfAborted();
        return await use(snapshot, () => lease(one));
      } finally {
        held.release();
      }
    },
    close() {
      clearInterval(timer);
      for (const [folderName, one] of open) closeOne(folderName, one);
    },
  };
}
