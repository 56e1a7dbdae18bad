/**
 * The tables of a generation in memory: each is loaded once, on first use, and shared with snapshots that have the same
 * files.
 */
import { filesOf } from "../generation.ts";
import { load as loadRows, rowsOf } from "./loading.ts";
import { once } from "../once.ts";
import { settleAll } from "../settle-all.ts";
import type { LoadingParts } from "./table-cache.ts";
import { LOADED_TABLES, type LoadedTable, LOADERS, type LoadTable, type SnapshotTables } from "../tables/all.ts";

export interface LoadedTables {
  /** The tables that are loaded so far. */
  readonly tables: SnapshotTables;
  load(names: readonly LoadedTable[]): Promise<void>;
  /** True when every table is loaded. */
  isLoaded(): boolean;
  release(): void;
}

export function createLoadedTables({ generation, tableCache, pool }: LoadingParts): LoadedTables {
  const acquired: string[] = [];
  const tables = {} as SnapshotTables;

  const loadTable: LoadTable = async (loading, loadMore) => {
    const { key } = filesOf(generation, loading.table);
    const loaded = await tableCache.acquire(key, () =>
      loadRows(pool, loading, rowsOf(generation, loading.table), loadMore),
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
    release() {
      for (const key of acquired.splice(0)) tableCache.release(key);
    },
  };
}
