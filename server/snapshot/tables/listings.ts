/** Small tables: departments, terms, tutorials, calendar. */
import { type Loading, jsonObject } from "../loading/loading.ts";
import { quarterRank } from "./expressions.ts";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING, toRows } from "../../duckdb/query.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";

export const departmentsTable: Loading<never> = {
  table: "departments",
  columns: {
    deptCode: "deptCode",
    deptName: "deptName",
  },
  orderBy: "deptCode",
  jsonColumns: {},
};

export const termsTable: Loading<never> = {
  table: "terms",
  columns: {
    year: "year",
    quarter: "quarter",
    longName: "longName",
  },
  orderBy: `year, ${quarterRank}`,
  jsonColumns: {},
};

export const larcTable = {
  table: "larc",
  columns: {
    year: "year",
    quarter: "quarter",
  },
  orderBy: "year, quarter, courseNumber, courseName",
  jsonColumns: {
    entry: jsonObject([["courseInfo", "{'courseNumber': courseNumber, 'courseName': courseName}"], "sections"]),
  },
} satisfies Loading<"entry">;

const DATES = ["instructionStart", "instructionEnd", "finalsStart", "finalsEnd"] as const;

export const calendarTable = {
  table: "calendar",
  columns: {
    year: "year",
    quarter: "quarter",
  },
  orderBy: "instructionStart, year, quarter",
  jsonColumns: {},
} satisfies Loading<never>;

export async function readDates(pool: Pool, wide: Fragment): Promise<{ dates: readonly TermDates[] }> {
  const texts = ["year", "quarter", ...DATES.map((name) => `${name}::VARCHAR`)];
  const columns = await pool.columns(sql`SELECT ${constant(texts.join(", "))} FROM ${wide} ORDER BY row_id`, LOADING);
  return { dates: toRows<TermDates>(["year", "quarter", ...DATES], columns) };
}
