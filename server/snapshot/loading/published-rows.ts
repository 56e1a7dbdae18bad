/** The published rows behind a loaded table. */
import { type Fragment, allOf, constant, name, sql } from "../../duckdb/sql.ts";
import { filesOf } from "../generation.ts";
import { publishedRows, type Loading } from "./loading.ts";
import type { Snapshot } from "../snapshot.ts";

/** Out of this snapshot's own files, with their `row_id` and in its order. */
export const numberedRows = ({ generation, tables }: Snapshot, table: "grades" | "courses" | "instructors"): Fragment =>
  tables[table].numbered(publishedRows(table, filesOf(generation, table).paths));

/** All columns of the rows that meet every condition, in the order of responses. */
export const selectPublished = (
  { table, orderBy }: Pick<Loading, "table" | "orderBy">,
  conditions: readonly Fragment[],
): Fragment => sql`SELECT * FROM ${name(table)} ${where(conditions)} ORDER BY ${constant(orderBy)}`;

/** `WHERE …`; nothing without a condition. */
export const where = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? sql`` : sql`WHERE ${allOf(conditions)}`;
