/**
 * A reference-counted cache of loaded tables by content, so that a swap loads only what changed. A table that no
 * snapshot expects is dropped with its last lease; an expected one stays while there is room.
 */
import type { Pool } from "../../duckdb/pool.ts";
import type { PublishedSnapshot } from "../generation.ts";

export type Droppable = object & {
  /** The size of its rows as JSON; the table takes about three times as much in total. */
  readonly bytes?: number;
  /** Drops the table, if it is in the database. */
  drop?(): Promise<void>;
};

interface Entry {
  value: Promise<Droppable>;
  /** The size; known once it is loaded. */
  bytes: number;
  /** The leases of snapshots and of requests in flight. */
  leases: number;
  uses: number;
  lastUse: number;
}

/** The limits of tables without a lease that stay loaded for the current snapshot. At least one always stays. */
const IDLE = { entries: 12, bytes: 48e6 };
/**
 * The limits for earlier snapshots: one version of a large term per open snapshot. With less room, each request would
 * load its own again.
 */
const IDLE_EARLIER = { entries: 5, bytes: 75e6 };

export type TableCache = ReturnType<typeof createTableCache>;

export interface LoadingParts {
  readonly published: PublishedSnapshot;
  readonly tableCache: TableCache;
  readonly pool: Pool;
}

export function createTableCache() {
  const entries = new Map<string, Entry>();
  const expected = new Set<ReadonlySet<string>>();
  const expectedEarlier = new Set<ReadonlySet<string>>();
  let now = 0;

  const isIn = (all: ReadonlySet<ReadonlySet<string>>, key: string): boolean => [...all].some((keys) => keys.has(key));

  /** Returns as many of the first keys as there is room for. */
  function within(room: typeof IDLE, keys: readonly string[]): string[] {
    let bytes = 0;
    return keys.slice(0, room.entries).filter((key, i) => {
      bytes += entries.get(key)?.bytes ?? 0;
      return i === 0 || bytes <= room.bytes;
    });
  }

  function evict(): void {
    const idle = [...entries].filter(([, { leases }]) => leases === 0);
    const lastUsed = idle.sort(([, a], [, b]) => b.lastUse - a.lastUse).map(([key]) => key);
    const wanted = lastUsed.filter((key) => isIn(expected, key));
    const wantedEarlier = lastUsed.filter((key) => !isIn(expected, key) && isIn(expectedEarlier, key));
    const retained = new Set([...within(IDLE, wanted), ...within(IDLE_EARLIER, wantedEarlier)]);
    for (const [key, entry] of idle) {
      if (retained.has(key)) continue;
      entries.delete(key);
      void entry.value.then((value) => value.drop?.()).catch(() => undefined);
    }
  }

  return {
    /** Loads the table unless it is cached. Call `release` once for each successful `acquire`. */
    async acquire<T extends Droppable>(key: string, load: () => Promise<T>): Promise<T> {
      let entry = entries.get(key);
      if (!entry) {
        entry = { value: load(), bytes: 0, leases: 0, uses: 0, lastUse: 0 };
        entries.set(key, entry);
      }
      entry.leases++;
      entry.uses++;
      entry.lastUse = ++now;
      try {
        const value = (await entry.value) as T;
        entry.bytes = value.bytes ?? 0;
        return value;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    release(key: string): void {
      const entry = entries.get(key);
      if (!entry) return;
      entry.leases--;
      if (entry.leases === 0) evict();
    },
    /** Returns how often the table was acquired; undefined when it is not in the cache. */
    uses: (key: string): number | undefined => entries.get(key)?.uses,
    /**
     * Declares the keys that a snapshot may acquire; the returned function withdraws them. Tables of an `earlier`
     * snapshot do not displace current ones.
     */
    expect(keys: ReadonlySet<string>, earlier = false): () => void {
      const group = earlier ? expectedEarlier : expected;
      group.add(keys);
      return () => {
        if (group.delete(keys)) evict();
      };
    },
  };
}
