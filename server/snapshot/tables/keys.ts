/** Row ids by key: a lookup by id needs no statement. */
import { LOADING } from "../../duckdb/pool.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import type { LoadMore } from "../loading.ts";

export interface Keyed {
  /** By id in lower case: ids are matched ignoring case (behaviour §8). */
  readonly rowIds: ReadonlyMap<string, number>;
}

export const readKeys =
  (column: string): LoadMore<Keyed> =>
  async (pool, wide) => {
    const [ids = [], rows = []] = await pool.columns(sql`SELECT ${constant(column)}, row_id FROM ${wide}`, LOADING);
    return { rowIds: new Map((ids as string[]).map((id, i) => [id.toLowerCase(), rows[i] as number])) };
  };
