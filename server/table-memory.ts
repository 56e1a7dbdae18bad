/**
 * What is loaded, by content: two snapshots that share a file share what was loaded from it, so a swap loads only what changed.
 * Tables are counted; terms of the past are kept as long as there is room and nobody uses them.
 */
import type { Pool } from "./pool.ts";

/** Something loaded from published files. */
export interface Droppable {
  drop(): Promise<void>;
}

interface Entry {
  value: Promise<Droppable>;
  /** Snapshots that need it always, and requests that use it now. */
  holders: number;
  lastUse: number;
}

/** Loaded terms that nobody holds stay until there are more than this. */
const IDLE_ENTRIES = 12;

export interface TableMemory {
  readonly pool: Pool;
  /** Loads it, or finds it loaded, and holds it; `release` as often as `hold`. */
  hold<T extends Droppable>(key: string, load: () => Promise<T>): Promise<T>;
  release(key: string): void;
  /** Whether it is loaded at this moment. */
  has(key: string): boolean;
}

export function createTableMemory(pool: Pool): TableMemory {
  const entries = new Map<string, Entry>();
  let uses = 0;

  function evict(): void {
    const idle = [...entries].filter(([, entry]) => entry.holders === 0).sort(([, a], [, b]) => a.lastUse - b.lastUse);
    for (const [key, entry] of idle.slice(0, Math.max(0, idle.length - IDLE_ENTRIES))) {
      entries.delete(key);
      void entry.value.then((value) => value.drop()).catch(() => undefined);
    }
  }

  return {
    pool,
    async hold<T extends Droppable>(key: string, load: () => Promise<T>): Promise<T> {
      let entry = entries.get(key);
      if (!entry) {
        entry = { value: load(), holders: 0, lastUse: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      entry.lastUse = ++uses;
      try {
        return (await entry.value) as T;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    release(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.holders--;
      evict();
    },
    has: (key) => entries.has(key),
  };
}
