/**
 * Caches data derived from a snapshot's files, such as a search index. Snapshots with the same files of the tables
 * share it.
 */
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import { type Fragment, name, sql } from "../../duckdb/sql.ts";
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

/** A derivation that is a relation in the database. */
export interface DerivedTable {
  readonly from: Fragment;
  drop(): Promise<void>;
}

let tables = 0;

/** Creates a table with the rows of a statement. */
export async function createTable(pool: Pool, select: Fragment): Promise<DerivedTable> {
  const from = name(`derived_${++tables}`);
  await pool.columns(sql`CREATE TABLE ${from} AS ${select}`, LOADING);
  return { from, drop: async () => void (await pool.columns(sql`DROP TABLE IF EXISTS ${from}`, LOADING)) };
}

export type Derived = ReturnType<typeof createDerived>;

export function createDerived({ published, tableCache, pool }: LoadingParts) {
  const derived = new Map<string, Promise<{ readonly key: string; readonly value: Droppable }>>();
  const derivations = new Map<string, Derivation<Droppable>>();
  const values = new Map<string, Droppable>();
  return {
    /** Returns the data, derived on first use. */
    async derive<T extends Droppable>(derivation: Derivation<T>): Promise<T> {
      const { name, tables, make } = derivation;
      const { value } = await once(derived, name, async () => {
        derivations.set(name, derivation);
        const key = `${name} ${tables.map((table) => filesOf(published, table).key).join(" ")}`;
        const value = await tableCache.acquire(key, () => make(pool, (table) => rowsOf(published, table)));
        values.set(name, value);
        return { key, value };
      });
      return value as T;
    },
    /** Returns undefined if the data has not been derived yet. */
    find: <T extends Droppable>({ name }: Derivation<T>) => values.get(name) as T | undefined,
    derivations: () => [...derivations.values()],
    release(): void {
      for (const entry of derived.values()) {
        void entry.then(
          ({ key }) => tableCache.release(key),
          () => undefined,
        );
      }
    },
  };
}
