/**
 * What is loaded, by content: two snapshots that share a file share what was loaded from it, so a swap loads only what changed.
 * Tables are counted. What no snapshot can be asked for any more goes as soon as nobody uses it; terms that can stay as long as there is room.
 */

/** Something loaded from published files. */
export interface Droppable {
  drop(): Promise<void>;
}

interface Entry {
  value: Promise<Droppable>;
  /** Snapshots that need it always, and requests that use it now. */
  holders: number;
  /** How often it was held. */
  uses: number;
  lastUse: number;
}

/** Loaded terms that nobody holds stay until there are more than this. */
const IDLE_ENTRIES = 12;

export interface TableCache {
  /** Loads it, or finds it loaded, and holds it; `release` as often as `hold` succeeded. */
  hold<T extends Droppable>(key: string, load: () => Promise<T>): Promise<T>;
  release(key: string): void;
  /** How often it was asked for; undefined when it is neither loaded nor being loaded at this moment. */
  uses(key: string): number | undefined;
  /** A snapshot says what it may be asked for; returns how it takes that back. */
  expect(keys: ReadonlySet<string>): () => void;
}

export function createTableCache(): TableCache {
  const entries = new Map<string, Entry>();
  const expected = new Set<ReadonlySet<string>>();
  let now = 0;

  const isExpected = (key: string): boolean => [...expected].some((keys) => keys.has(key));

  function evict(): void {
    const idle = [...entries].filter(([, { holders }]) => holders === 0);
    const wanted = idle.filter(([key]) => isExpected(key)).sort(([, a], [, b]) => b.lastUse - a.lastUse);
    const kept = new Set(wanted.slice(0, IDLE_ENTRIES).map(([key]) => key));
    for (const [key, entry] of idle) {
      if (kept.has(key)) continue;
      entries.delete(key);
      void entry.value.then((value) => value.drop()).catch(() => undefined);
    }
  }

  return {
    async hold<T extends Droppable>(key: string, load: () => Promise<T>): Promise<T> {
      let entry = entries.get(key);
      if (!entry) {
        entry = { value: load(), holders: 0, uses: 0, lastUse: 0 };
        entries.set(key, entry);
      }
      entry.holders++;
      entry.uses++;
      entry.lastUse = ++now;
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
      if (entry.holders === 0) evict();
    },
    uses: (key) => entries.get(key)?.uses,
    expect(keys) {
      expected.add(keys);
      return () => {
        if (expected.delete(keys)) evict();
      };
    },
  };
}
