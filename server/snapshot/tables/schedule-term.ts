/**
 * One term of the schedule, published or live: a DuckDB table for filters, and the JSON of sections, courses, departments and schools, from which responses
 * are assembled.
 */
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Pace } from "../event-loop-yielder.ts";
import { jsonObject, load, type Loading } from "../loading/loading.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import { type JsonRows, toJsonRows } from "../loading/json-rows.ts";
import { textLines } from "./expressions.ts";
import { rowsWithIds } from "../loading/row-ids.ts";
import { settleAll } from "../settle-all.ts";

export interface LoadedTerm {
  readonly from: Fragment;
  /** The term's rows with their `row_id`, in its order, wherever they are read from now. */
  numbered(rows: Fragment): Fragment;
  readonly sections: JsonRows;
  /** Courses, departments and schools in the order of their first section. */
  readonly courses: Level;
  readonly departments: Level;
  readonly schools: Level;
  readonly bytes: number;
  drop(): Promise<void>;
}

/** `starts[i]` is the row id of the first section of group i; `prefixes` are its JSON up to its children. */
export interface Level {
  readonly starts: Int32Array;
  readonly prefixes: JsonRows;
}

/** The order of responses: schools by name, departments by code, courses by digits, number and title, sections by code (server/RULES.md, Schedule). */
const ORDER = "schoolName, deptCode, courseNumeric, courseNumber, courseTitle, sectionCode";

const lists = (expression: string) => `list_distinct(flatten(list_transform(meetings, lambda m: ${expression})))`;
const minutes = (at: string) => `list_transform(meetings, lambda m: m.${at}.hour * 60 + m.${at}.minute)`;
const anyTba =
  "list_bool_or(list_transform(meetings, lambda m: m.timeIsTBA OR m.startTime IS NULL OR m.endTime IS NULL))";

export const scheduleTable = {
  table: "sections",
  columns: {
    sectionCode: "sectionCode::INTEGER",
    schoolName: "schoolName",
    deptCode: "deptCode",
    departmentKey: "upper(replace(deptCode, ' ', ''))",
    courseNumber: "courseNumber",
    courseNumberKey: "lower(courseNumber)",
    courseNumeric: "courseNumeric",
    courseTitle: "courseTitle",
    titleKey: "lower(courseTitle)",
    sectionType: "sectionType",
    fixedUnits: "CASE WHEN contains(units, '-') THEN NULL ELSE TRY_CAST(units AS DOUBLE) END",
    variableUnits: "contains(units, '-')",
    names: textLines(`list_transform(instructors, lambda x: ${nameKeySql("x")})`),
    lastNames: textLines(`list_transform(instructors, lambda x: split_part(${nameKeySql("x")}, ',', 1))`),
    buildings: lists("list_transform(m.bldg, lambda b: upper(split_part(b, ' ', 1)))"),
    rooms: lists("list_transform(m.bldg, lambda b: upper(b))"),
    days: lists("regexp_extract_all(coalesce(m.days, ''), 'Su|M|Tu|W|Th|F|Sa')"),
    earliest: `CASE WHEN len(meetings) = 0 OR ${anyTba} THEN NULL ELSE list_min(${minutes("startTime")}) END`,
    latest: `CASE WHEN len(meetings) = 0 OR ${anyTba} THEN NULL ELSE list_max(${minutes("endTime")}) END`,
    capacity: "TRY_CAST(maxCapacity AS INTEGER)",
    enrolled: "TRY_CAST(numCurrentlyEnrolled.totalEnrolled AS INTEGER)",
    // Codes are single letters; "and" and "or" are not.
    restrictionCodes: "regexp_extract_all(restrictions, '\\b[A-Z]\\b')",
    status: "status",
    cancelled: "cancelled",
    geCategories: "geCategories",
  },
  orderBy: ORDER,
  jsonColumns: {
    section: jsonObject([
      "sectionCode",
      "sectionType",
      "sectionNum",
      "units",
      "instructors",
      "meetings",
      "finalExam",
      "maxCapacity",
      "numCurrentlyEnrolled",
      "numOnWaitlist",
      "numWaitlistCap",
      "numRequested",
      "numNewOnlyReserved",
      "restrictions",
      "status",
      "sectionComment",
    ]),
  },
} satisfies Loading<"section">;

/** A JSON object up to its children: `{"a":1,"courses":[`. */
const open = (json: string, list: string) => `left((${json})::VARCHAR, -1) || ',"${list}":['`;

/** The first non-empty value of the sections. */
const ofCourse = (column: string) =>
  [column, `coalesce(first(${column} ORDER BY row_id) FILTER (${column} <> ''), '')`] as const;
const COURSE_PREFIX = jsonObject([
  "deptCode",
  ofCourse("courseComment"),
  ofCourse("prerequisiteLink"),
  "courseNumber",
  "courseTitle",
]);
const DEPARTMENT = [
  ["deptComment", "coalesce(h.deptComment, '')"],
  ["sectionCodeRangeComments", "coalesce(h.sectionCodeRangeComments, [])"],
  ["courseNumberRangeComments", "coalesce(h.courseNumberRangeComments, [])"],
  ["deptCode", "s.deptCode"],
  ["deptName", "coalesce(h.deptName, s.deptCode)"],
] as const;
const DEPARTMENT_PREFIX = jsonObject(DEPARTMENT);
const SCHOOL = [
  ["schoolName", "s.schoolName"],
  ["schoolComment", "coalesce(max(h.schoolComment), '')"],
] as const;
const SCHOOL_PREFIX = jsonObject(SCHOOL);

/** `sections` and `headings` are relations with the contract's columns. */
export async function loadTerm(
  pool: Pool,
  sections: Fragment,
  headings: Fragment,
  createPace?: () => Pace,
): Promise<LoadedTerm> {
  const loadLevels = async (pool: Pool, wide: Fragment) => {
    // Joins headings to a few hundred departments instead of all sections.
    const starts = sql`(SELECT schoolName, deptCode, min(row_id) AS first FROM ${wide} GROUP BY schoolName, deptCode)`;
    const joined = sql`${starts} s LEFT JOIN (SELECT * FROM ${headings}) h ON h.schoolName = s.schoolName AND h.deptCode = s.deptCode`;
    const [courses, departments, schools] = await settleAll([
      readLevel(
        pool,
        sql`SELECT min(row_id) AS first, ${constant(open(COURSE_PREFIX, "sections"))} AS prefix
          FROM ${wide} GROUP BY schoolName, deptCode, courseNumber, courseTitle`,
      ),
      readLevel(pool, sql`SELECT s.first, ${constant(open(DEPARTMENT_PREFIX, "courses"))} AS prefix FROM ${joined}`),
      readLevel(
        pool,
        sql`SELECT min(s.first) AS first, ${constant(open(SCHOOL_PREFIX, "departments"))} AS prefix FROM ${joined} GROUP BY s.schoolName`,
      ),
    ]);
    return { courses, departments, schools };
  };
  const { jsonRows, ...loaded } = await load(pool, scheduleTable, sections, loadLevels, createPace);
  return { ...loaded, sections: jsonRows.section };
}

const named = (pairs: readonly (readonly [name: string, expression: string])[]) =>
  constant(pairs.map(([column, expression]) => `${expression} AS ${column}`).join(", "));

/** The sections at the given rowIds of a term's rows, with the columns of what they stand in. */
export const sectionsInFull = (numbered: Fragment, headings: Fragment, rowIds: Int32Array): Fragment =>
  sql`(WITH section AS NOT MATERIALIZED (FROM ${numbered}),
    course AS (
      SELECT schoolName, deptCode, courseNumber, courseTitle, ${named([ofCourse("courseComment"), ofCourse("prerequisiteLink")])}
      FROM section GROUP BY ALL),
    joined AS (
      SELECT s, h FROM (SELECT DISTINCT schoolName, deptCode FROM section) s
      LEFT JOIN ${headings} h ON h.schoolName = s.schoolName AND h.deptCode = s.deptCode),
    department AS (SELECT s.schoolName, ${named(DEPARTMENT)} FROM joined),
    school AS (SELECT ${named(SCHOOL)} FROM joined GROUP BY ALL)
    SELECT section.* EXCLUDE (courseComment, prerequisiteLink), course.courseComment, course.prerequisiteLink,
      department.* EXCLUDE (schoolName, deptCode), school.schoolComment
    FROM ${rowsWithIds(constant("section"), rowIds)} section JOIN course USING (schoolName, deptCode, courseNumber, courseTitle)
      JOIN department USING (schoolName, deptCode) JOIN school USING (schoolName)
    ORDER BY row_id)`;

/** The groups in the order of their first section; one pass over them gives both columns. */
async function readLevel(pool: Pool, groups: Fragment): Promise<Level> {
  const [starts = [], prefixes = []] = await pool.columns(
    sql`SELECT first, prefix FROM (${groups}) ORDER BY first`,
    LOADING,
  );
  return { starts: Int32Array.from(starts as number[]), prefixes: toJsonRows(prefixes as string[]) };
}
