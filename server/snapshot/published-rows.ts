/** Selected rows with all their published columns, as relations: what a copy in another format is made from. */
import { type Fragment, sql } from "../duckdb/sql.ts";
import { filesOf } from "./generation.ts";
import { publishedRows } from "./loading.ts";
import type { Snapshot } from "./snapshot.ts";

/** The rows of a loaded table out of this snapshot's own files, with their `place`. */
export const numberedRows = ({ generation, tables }: Snapshot, table: "grades" | "courses" | "instructors"): Fragment =>
  tables[table].numbered(publishedRows(table, filesOf(generation, table).paths));

/** The ids travel as one text: binding each number by itself takes longer than the statement. */
export const rowsWithIds = (numbered: Fragment, places: Int32Array): Fragment =>
  sql`(SELECT * FROM ${numbered} WHERE place IN (SELECT unnest(${`[${places.join(",")}]`}::INTEGER[])) ORDER BY place)`;

/** Rows `from` to `to` (not included). */
export const rowsInRange = (numbered: Fragment, from: number, to: number): Fragment =>
  sql`(SELECT * FROM ${numbered} WHERE place >= ${from} AND place < ${to} ORDER BY place)`;
