/** The published rows behind a loaded table: for files in other formats, and for the statements that explanations print. */
import { type Fragment, allOf, constant, name, sql } from "../../duckdb/sql.ts";
import { filesOf } from "../generation.ts";
import { publishedRows, type Loading } from "./loading.ts";
import type { Snapshot } from "../snapshot.ts";

/** Out of this snapshot's own files, with their `row_id` and in its order. */
export const numberedRows = ({ generation, tables }: Snapshot, table: "grades" | "courses" | "instructors"): Fragment =>
  tables[table].numbered(publishedRows(table, filesOf(generation, table).paths));

type Columns = Pick<Loading, "columns">;

/** Replaces the name of each column by its expression. */
function overPublished({ columns }: Columns, { pieces, values }: Fragment): Fragment {
  const expressions = new Map(
    columns.flatMap((column) => {
      const [, expression, name] = /^(.*) AS (\w+)$/s.exec(column) ?? [];
      return expression === undefined || name === undefined ? [] : [[name, `(${expression})`] as const];
    }),
  );
  const replaced = pieces.map((piece) => piece.replace(/\w+/g, (word) => expressions.get(word) ?? word));
  return { pieces: replaced, values };
}

/** `table WHERE …` over published columns: the rows that meet every condition over the loaded table's columns. */
export const publishedWhere = (
  loading: Pick<Loading, "columns" | "table">,
  conditions: readonly Fragment[],
): Fragment =>
  conditions.length === 0
    ? name(loading.table)
    : sql`${name(loading.table)} WHERE ${overPublished(loading, allOf(conditions))}`;

/** All columns of these rows, in the order of responses. */
export const selectPublished = (
  loading: Pick<Loading, "columns" | "table" | "orderBy">,
  conditions: readonly Fragment[],
): Fragment => sql`SELECT * FROM ${publishedWhere(loading, conditions)} ORDER BY ${constant(loading.orderBy)}`;
