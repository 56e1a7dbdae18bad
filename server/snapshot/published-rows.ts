/** A loaded table's rows with all their published columns: what a file in another format is made from. */
import type { Fragment } from "../duckdb/sql.ts";
import { filesOf } from "./generation.ts";
import { publishedRows } from "./loading.ts";
import type { Snapshot } from "./snapshot.ts";

/** Out of this snapshot's own files, with their `row_id` and in its order. */
export const numberedRows = ({ generation, tables }: Snapshot, table: "grades" | "courses" | "instructors"): Fragment =>
  tables[table].numbered(publishedRows(table, filesOf(generation, table).paths));
