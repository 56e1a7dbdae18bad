/** Data derived from a snapshot's files, such as a search index. Snapshots whose files of these tables are the same share it. */
import type { TableName } from "../../../pipeline/contract/tables.ts";
import type { Pool } from "../../duckdb/pool.ts";
import type { Fragment } from "../../duckdb/sql.ts";
import { filesOf } from "../generation.ts";
import { once } from "../once.ts";
import { rowsOf } from "./loading.ts";
import type { Droppable, LoadingParts } from "./table-cache.ts";

export interface Derivation<T extends Droppable> {
  readonly name: string;
  readonly tables: readonly TableName[];
  /** It takes little time, so that a snapshot is served when it has what the one before had of these. */
  readonly isAhead?: boolean;
  /** `rows` gives those of each of the tables. */
  make(pool: Pool, rows: (table: TableName) => Fragment): Promise<T>;
}

export interface Derived {
  /** Makes it on first use. */
  derive<T extends Droppable>(derivation: Derivation<T>): Promise<T>;
  /** Undefined = it is not made, or not yet. */
  find<T extends Droppable>(derivation: Derivation<T>): T | undefined;
  /** Those that were made. */
  derivations(): readonly Derivation<Droppable>[];
  release(): void;
}

export function createDerived({ generation, tableCache, pool }: LoadingParts): Derived {
  const derived = new Map<string, Promise<{ readonly key: string; readonly value: Droppable }>>();
  const derivations = new Map<string, Derivation<Droppable>>();
  const found = new Map<string, Droppable>();
  return {
    async derive<T extends Droppable>(derivation: Derivation<T>): Promise<T> {
      const { name, tables, make } = derivation;
      const { value } = await once(derived, name, async () => {
        derivations.set(name, derivation);
        const key = `${name} ${tables.map((table) => filesOf(generation, table).key).join(" ")}`;
        const made = await tableCache.acquire(key, () => make(pool, (table) => rowsOf(generation, table)));
        found.set(name, made);
        return { key, value: made };
      });
      return value as T;
    },
    find: <T extends Droppable>({ name }: Derivation<T>) => found.get(name) as T | undefined,
    derivations: () => [...derivations.values()],
    release() {
      for (const made of derived.values()) {
        void made.then(
          ({ key }) => tableCache.release(key),
          () => undefined,
        );
      }
    },
  };
}
