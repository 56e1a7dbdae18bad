/** The sections of all terms with an enrollment history, in memory, with the columns for filters. */
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { QUARTERS, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { LOADING } from "../../duckdb/query.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import { createTable, type Derivation, type DerivedTable } from "../loading/derived.ts";
import { quarterRank, same, textLines } from "./expressions.ts";

/** The fields of a record in front of its history, in order. */
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
  columns: {
    ...same(["year", "quarter", "sectionCode", "sectionType"]),
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    names: textLines(`list_transform(instructors, lambda x: ${nameKeySql("x")})`),
  },
};

/** The SQL of a number for the term of a row, equal to `termNumber`. */
const TERM = `(year::INTEGER * 10 + ${quarterRank})::INTEGER`;
export const termNumber = ({ year, quarter }: Term): number => Number(year) * 10 + QUARTERS.indexOf(quarter) + 1;

/** The SQL of a number for a section of all terms, equal to `sectionNumber`. */
export const SECTION_NUMBER = `(${TERM}::BIGINT * 100000 + sectionCode::INTEGER)`;
export const sectionNumber = ({ term, code }: { readonly term: number; readonly code: number }): number =>
  term * 100_000 + code;

/**
 * Selects the position of a section's remaining data: its term's number, its row in the file of the term, and its code.
 */
const place = (row: string) => `${TERM} AS term, ${row}::INTEGER AS row, sectionCode::INTEGER AS code`;
/** The position of published rows, which are in files. */
export const PUBLISHED_PLACE = constant(place("file_row_number"));

/**
 * The columns for filters, and the position of the remaining data. The column `number` is the order of responses.
 */
export const historySections: Derivation<DerivedTable> = {
  name: "sections with enrollment history",
  tables: ["enrollment_history"],
  isAhead: true,
  async make(pool, rows) {
    const columns = Object.entries(historyTable.columns).map(([column, expression]) => `${expression} AS "${column}"`);
    const published = rows("enrollment_history");
    const [[count] = []] = await pool.columns(sql`SELECT count(*)::INTEGER FROM ${published}`, LOADING);
    // Without files, there is no `file_row_number`.
    const row = count === 0 ? "0" : "file_row_number";
    return createTable(
      pool,
      sql`SELECT (row_number() OVER (ORDER BY ${constant(HISTORY_ORDER)}))::INTEGER AS number,
        ${constant([place(row), ...columns].join(", "))}
      FROM ${published} ORDER BY number`,
    );
  },
};
