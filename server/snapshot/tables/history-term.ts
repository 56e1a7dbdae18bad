/** One term of the enrollment history in memory: planners ask for the same term's courses again and again, and reading its files takes 20 ms. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import { constant, type Fragment, name, sql } from "../../duckdb/sql.ts";
import type { JsonRows } from "../loading/json-rows.ts";
import { jsonObject, load, type Loading } from "../loading/loading.ts";
import { textLines } from "./expressions.ts";

/** The columns of filters, as expressions over the published ones. */
export const HISTORY_KEYS: readonly string[] = [
  "upper(replace(department, ' ', '')) AS departmentKey",
  "lower(courseNumber) AS courseNumberKey",
  `${textLines(`list_transform(instructors, x -> ${nameKeySql("x")})`)} AS names`,
];

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

/** The JSON object of a section up to its history, without the closing brace. */
export const describeHistory = (sectionCode: string): string =>
  `left(${jsonObject(SECTION_FIELDS.map((field) => (field === "sectionCode" ? [field, sectionCode] : field)))}::VARCHAR, -1)`;

export interface LoadedHistory {
  readonly from: Fragment;
  readonly sections: JsonRows;
  /** By `row_id`: first and last day as numbers from 1970-01-01 on, and the snapshot's values as numbers of `texts`. */
  readonly periods: Fragment;
  readonly texts: readonly string[];
  readonly bytes: number;
  drop(): Promise<void>;
}

const historyTable: Loading<"section"> = {
  table: "enrollment_history",
  columns: ["sectionCode", "sectionType", ...HISTORY_KEYS],
  orderBy: "department, courseNumeric, courseNumber, sectionCode",
  jsonColumns: { section: describeHistory("sectionCode::INTEGER") },
};

let loads = 0;

/** `history` and `periods` are one term's rows of the two tables. */
export async function loadHistoryTerm(pool: Pool, history: Fragment, periods: Fragment): Promise<LoadedHistory> {
  const number = ++loads;
  const [table, type] = [name(`history_periods_${number}`), name(`history_texts_${number}`)];
  const run = async (statement: Fragment) => void (await pool.columns(statement, LOADING));
  const dropType = () => run(sql`DROP TYPE IF EXISTS ${type}`);
  const dropPeriods = () => run(sql`DROP TABLE IF EXISTS ${table}`);
  const json = (value: string) => `to_json(${value})::VARCHAR`;
  const { from, jsonRows, texts, bytes, drop } = await load(pool, historyTable, history, async (_pool, numbered) => {
    const all = constant(SNAPSHOT_VALUES.map(json).join(", "));
    // An enumeration numbers the texts, which are few.
    await run(sql`CREATE TYPE ${type} AS ENUM (SELECT DISTINCT unnest([${all}]) FROM ${periods})`);
    const columns = SNAPSHOT_VALUES.map(
      (value) => sql`enum_code(${constant(json(value))}::${type})::USMALLINT AS ${constant(value)}`,
    );
    await run(sql`CREATE TABLE ${table} AS
      SELECT row_id, (first - DATE '1970-01-01')::INTEGER AS first, (last - DATE '1970-01-01')::INTEGER AS last, ${listed(columns)}
      FROM ${periods} JOIN (SELECT row_id, sectionCode FROM ${numbered}) USING (sectionCode) ORDER BY row_id, first`);
    const [texts = []] = await pool.columns(sql`SELECT unnest(enum_range(NULL::${type}))::VARCHAR`, LOADING);
    return { texts: texts as string[], drop: dropPeriods };
  })
    .catch(async (error: unknown) => {
      await dropPeriods();
      throw error;
    })
    .finally(dropType);
  return { from, sections: jsonRows.section, periods: table, texts, bytes, drop };
}

const listed = (columns: readonly Fragment[]): Fragment =>
  columns.reduce((before, column) => sql`${before}, ${column}`);
