/** Small tables: departments, terms, tutorials, calendar. */
import { type Loading, jsonObject } from "../loading/loading.ts";
import { quarterRank, same } from "./expressions.ts";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING, toRows } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";

export const departmentsTable: Loading = {
  table: "departments",
  columns: same(["deptCode", "deptName"]),
  orderBy: "deptCode",
};

export const termsTable: Loading = {
  table: "terms",
  columns: same(["year", "quarter", "longName"]),
  orderBy: `year, ${quarterRank}`,
};

export const larcTable = {
  table: "larc",
  columns: same(["year", "quarter"]),
  orderBy: "year, quarter, courseNumber, courseName",
  record: jsonObject([["courseInfo", "{'courseNumber': courseNumber, 'courseName': courseName}"], "sections"]),
} satisfies Loading;

const DATES = ["instructionStart", "instructionEnd", "finalsStart", "finalsEnd"] as const;

export const calendarTable = {
  table: "calendar",
  columns: same(["year", "quarter", ...DATES]),
  orderBy: "instructionStart, year, quarter",
} satisfies Loading;

export async function readDates(pool: Pool, table: Fragment): Promise<{ dates: readonly TermDates[] }> {
  const texts = ["year", "quarter", ...DATES.map((name) => `${name}::VARCHAR`)];
  const columns = await pool.columns(sql`SELECT ${constant(texts.join(", "))} FROM ${table} ORDER BY row_id`, LOADING);
  return { dates: toRows<TermDates>(["year", "quarter", ...DATES], columns) };
}
