/** The former names of courses: a small table that requests read from a lookup in memory. */
import { createFormerNames, type FormerNames } from "../../../pipeline/contract/former-names.ts";
import type { FormerName } from "../../../pipeline/contract/rows/former-name.ts";
import { LOADING, toRows } from "../../duckdb/query.ts";
import { sql } from "../../duckdb/sql.ts";
import type { Loading, LoadMore } from "../loading/loading.ts";

export const formerNamesTable: Loading = {
  table: "former_names",
  columns: { courseId: "courseId", formerId: "formerId", since: "since" },
  orderBy: "courseId, formerId",
};

export interface NamedBefore {
  readonly formerNames: FormerNames;
}

export const readFormerNames: LoadMore<NamedBefore> = async (pool, table) => {
  const columns = await pool.columns(sql`SELECT courseId, formerId, since FROM ${table} ORDER BY row_id`, LOADING);
  return { formerNames: createFormerNames(toRows<FormerName>(["courseId", "formerId", "since"], columns)) };
};
