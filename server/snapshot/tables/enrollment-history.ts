/**
 * The enrollment histories of all terms in memory: opening the files of some dozen terms takes longer than everything else that a course's histories need.
 */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import { constant, type Fragment, name, sql } from "../../duckdb/sql.ts";
import type { Derivation } from "../loading/derived.ts";
import { jsonObject, type Loaded, load, type Loading } from "../loading/loading.ts";
import { quarterRank, textLines } from "./expressions.ts";

/** The fields of a record before its history, in their order. */
export const SECTION_FIELDS = [
  "year",
  "quarter",
  "sectionCode",
  "department",
  "courseNumber",
  "sectionType",
  "sectionNum",
  "units",
  "instructors",
  "meetings",
  "finalExam",
] as const;

/** The order of responses. */
export const HISTORY_ORDER = `year, ${quarterRank}, department, courseNumeric, courseNumber, sectionCode`;

export const historyTable = {
  table: "enrollment_history",
  columns: {
    year: "year",
    quarter: "quarter",
    sectionCode: "sectionCode",
    sectionType: "sectionType",
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    names: textLines(`list_transform(instructors, lambda x: ${nameKeySql("x")})`),
    recordNumber: `row_number() OVER (ORDER BY ${HISTORY_ORDER})`,
  },
  // A course's sections of all terms are neighbours, and so are their periods.
  orderBy: `department, courseNumeric, courseNumber, year, ${quarterRank}, sectionCode`,
  jsonColumns: {
    section: jsonObject(
      SECTION_FIELDS.map((field) => (field === "sectionCode" ? [field, `${field}::INTEGER`] : field)),
    ),
  },
} satisfies Loading<"section">;

export interface LoadedHistory extends Loaded<"section"> {
  /** By `row_id`: first and last day as numbers from 1970-01-01 on, and the snapshot's values as indexes of `texts`. */
  readonly periods: Fragment;
  /** As JSON. */
  readonly texts: readonly string[];
}

const DAY = "- DATE '1970-01-01')::INTEGER";
const json = (value: string) => `to_json(${value})::VARCHAR`;
const ALL_TEXTS = constant(`unnest([${SNAPSHOT_VALUES.map(json).join(", ")}])`);
const INDEXES = (type: string) =>
  constant(SNAPSHOT_VALUES.map((value) => `enum_code(${json(value)}::${type})::INTEGER AS ${value}`).join(", "));

let loads = 0;

async function loadPeriods(pool: Pool, sections: Fragment, periods: Fragment) {
  const number = ++loads;
  const [table, type] = [name(`history_periods_${number}`), `history_texts_${number}`];
  const run = async (statement: Fragment) => void (await pool.columns(statement, LOADING));
  const drop = () => run(sql`DROP TABLE IF EXISTS ${table}`);
  try {
    // An enumeration numbers the texts, which are few.
    await run(sql`CREATE TYPE ${name(type)} AS ENUM (SELECT DISTINCT ${ALL_TEXTS} FROM ${periods})`);
    await run(sql`CREATE TABLE ${table} AS
      SELECT row_id, ${constant(`(first ${DAY} AS first, (last ${DAY} AS last`)}, ${INDEXES(type)}
      FROM ${periods} JOIN (SELECT row_id, year, quarter, sectionCode FROM ${sections}) USING (year, quarter, sectionCode)
      ORDER BY row_id, first`);
    const [texts = []] = await pool.columns(sql`SELECT unnest(enum_range(NULL::${name(type)}))::VARCHAR`, LOADING);
    return { periods: table, texts: texts as string[], drop };
  } catch (error) {
    await drop();
    throw error;
  } finally {
    await run(sql`DROP TYPE IF EXISTS ${name(type)}`);
  }
}

export const enrollmentHistories: Derivation<LoadedHistory> = {
  name: "enrollment histories",
  tables: ["enrollment_history", "enrollment_periods"],
  make: (pool, rows) =>
    load(pool, historyTable, rows("enrollment_history"), (loading, numbered) =>
      loadPeriods(loading, numbered, rows("enrollment_periods")),
    ),
};
