/**
 * Caches data derived from a snapshot's files, such as a search index. Snapshots with the same files of the tables
 * share it.
 */
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Pool } from "../../duckdb/pool.ts";
import type { Fragment } from "../../duckdb/sql.ts";
import { filesOf } from "../generation.ts";
import { once } from "../shared-work.ts";
import { rowsOf } from "./loading.ts";
import type { Droppable, LoadingParts } from "./table-cache.ts";

export interface Derivation<T extends Droppable> {
  readonly name: string;
  readonly tables: readonly TableName[];
  /** True if it is fast enough to be derived before a snapshot is served, if the previous snapshot had it. */
  readonly isAhead?: boolean;
  /** Derives the data. `rows` returns the rows of each of the tables. */
  make(pool: Pool, rows: (table: TableName) => Fragment): Promise<T>;
}

export interface Derived {
  /** Returns the data, derived on first use. */
  derive<T extends Droppable>(derivation: Derivation<T>): Promise<T>;
  /** Returns undefined if the data has not been derived yet. */
  find<T extends Droppable>(derivation: Derivation<T>): T | undefined;
  /** Returns the derivations that were used. */
  derivations(): readonly Derivation<Droppable>[];
  release(): void;
}

export function createDerived({ generation, tableCache, pool }: LoadingParts): Derived {
  const derived = new Map<string, Promise<{ readonly key: string; readonly value: Droppable }>>();
  const derivations = new Map<string, Derivation<Droppable>>();
  const values = new Map<string, Droppable>();
  return {
    async derive<T extends Droppable>(derivation: Derivation<T>): Promise<T> {
      const { name, tables, make } = derivation;
      const { value } = await once(derived, name, async () => {
        derivations.set(name, derivation);
        const key = `${name} ${tables.map((table) => filesOf(generation, table).key).join(" ")}`;
        const value = await tableCache.acquire(key, () => make(pool, (table) => rowsOf(generation, table)));
        values.set(name, value);
        return { key, value: value };
      });
      return value as T;
    },
    find: <T extends Droppable>({ name }: Derivation<T>) => values.get(name) as T | undefined,
    derivations: () => [...derivations.values()],
    release() {
      for (const entry of derived.values()) {
        void entry.then(
          ({ key }) => tableCache.release(key),
          () => undefined,
        );
      }
    },
  };
}
