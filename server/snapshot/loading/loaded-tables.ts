/** The tables of one generation in memory: each is loaded once, when it is first needed, and shared with snapshots that have the same files. */
import type { TableName } from "../../../pipeline/contract/tables.ts";
import { filesOf } from "../generation.ts";
import { load, rowsOf } from "./loading.ts";
import { once } from "../once.ts";
import { settleAll } from "../settle-all.ts";
import type { LoadingParts } from "./table-cache.ts";
import { LOADED_TABLES, type LoadedTable, LOADERS, type LoadTable, type SnapshotTables } from "../tables/all.ts";
import { compatCatalogue, compatTutorials } from "../tables/compat-rows.ts";

export interface LoadedTables {
  /** Those that are loaded. */
  readonly tables: SnapshotTables;
  /** The same with the rows of COMPAT=1. */
  readonly compatTables: SnapshotTables;
  load(names: readonly LoadedTable[]): Promise<void>;
  /** Whether every table is loaded, with the rows of COMPAT=1 where they are served. */
  isLoaded(): boolean;
  release(): void;
}

/** Those whose rows are others with COMPAT=1. */
const REWRITTEN: readonly LoadedTable[] = ["courses", "instructors", "larc"];

export function createLoadedTables({
  generation,
  tableCache,
  pool,
  compat,
  createPace,
}: LoadingParts & { readonly compat: boolean }): LoadedTables {
  const acquired: string[] = [];
  const tables = {} as SnapshotTables;
  // Tables that COMPAT=1 does not rewrite are found through the prototype.
  const compatTables = Object.create(tables) as SnapshotTables;

  const loadTable: LoadTable = async (loading, loadMore) => {
    const { key } = filesOf(generation, loading.table);
    const loaded = await tableCache.acquire(key, () =>
      load(pool, loading, rowsOf(generation, loading.table), loadMore, createPace),
    );
    acquired.push(key);
    return loaded;
  };

  const loads = new Map<string, Promise<void>>();
  const loadPlain = (names: readonly LoadedTable[]) =>
    settleAll(
      names.map((name) =>
        once(loads, name, async () => void Object.assign(tables, { [name]: await LOADERS[name](loadTable) })),
      ),
    );

  /** Loads the tables, and rewrites their rows; snapshots that have the same files of them share the result. */
  const rewrite = <T extends object>(from: readonly LoadedTable[], make: () => Promise<T>, use: (made: T) => object) =>
    once(loads, `compat ${from.join()}`, async () => {
      await loadPlain(from);
      const key = `compat ${from.map((table) => filesOf(generation, table as TableName).key).join(" ")}`;
      const made = await tableCache.acquire(key, async () => ({ ...(await make()), drop: () => Promise.resolve() }));
      acquired.push(key);
      Object.assign(compatTables, use(made));
    });
  const rewriteCatalogue = () =>
    rewrite(
      ["courses", "instructors"],
      () => compatCatalogue(tables),
      (jsonRows) => ({
        courses: { ...tables.courses, jsonRows },
        instructors: { ...tables.instructors, jsonRows },
      }),
    );
  const rewriteTutorials = () =>
    rewrite(
      ["larc"],
      () => compatTutorials(tables),
      (jsonRows) => ({ larc: { ...tables.larc, jsonRows } }),
    );

  return {
    tables,
    compatTables,
    async load(names) {
      await loadPlain(names);
      if (!compat) return;
      if (names.includes("courses") || names.includes("instructors")) await rewriteCatalogue();
      if (names.includes("larc")) await rewriteTutorials();
    },
    isLoaded: () =>
      LOADED_TABLES.every((name) => name in tables) &&
      (!compat || REWRITTEN.every((name) => Object.hasOwn(compatTables, name))),
    release() {
      for (const key of acquired.splice(0)) tableCache.release(key);
    },
  };
}
