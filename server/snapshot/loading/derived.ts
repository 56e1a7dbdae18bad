/** Data derived from a snapshot's files, such as a search index. Snapshots whose files of these tables are the same share it. */
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { filesOf, type Generation } from "../generation.ts";
import type { Droppable, TableCache } from "./table-cache.ts";

export interface Derivation<T extends Droppable> {
  readonly name: string;
  readonly tables: readonly TableName[];
  /** `files[table]` are the paths of the table's files. */
  make(pool: Pool, files: Readonly<Partial<Record<TableName, readonly string[]>>>): Promise<T>;
}

export interface Derived {
  /** Makes it on first use. */
  derive<T extends Droppable>(derivation: Derivation<T>): Promise<T>;
  /** Those that were made. */
  derivations(): readonly Derivation<Droppable>[];
  release(): void;
}

export function createDerived({
  generation,
  tableCache,
  pool,
}: {
  generation: Generation;
  tableCache: TableCache;
  pool: Pool;
}): Derived {
  const derived = new Map<
    string,
    { readonly derivation: Derivation<Droppable>; readonly key: string; readonly made: Promise<Droppable> }
  >();
  return {
    derive<T extends Droppable>(derivation: Derivation<T>): Promise<T> {
      const { name, tables, make } = derivation;
      const existing = derived.get(name);
      if (existing) return existing.made as Promise<T>;
      const files = tables.map((table) => [table, filesOf(generation, table)] as const);
      const key = `${name} ${files.map(([, file]) => file.key).join(" ")}`;
      const made = tableCache.acquire(key, () =>
        make(pool, Object.fromEntries(files.map(([table, { paths }]) => [table, paths]))),
      );
      derived.set(name, { derivation, key, made });
      made.catch(() => derived.delete(name));
      return made;
    },
    derivations: () => [...derived.values()].map(({ derivation }) => derivation),
    release() {
      for (const { key, made } of derived.values()) {
        void made.then(
          () => tableCache.release(key),
          () => undefined,
        );
      }
    },
  };
}
