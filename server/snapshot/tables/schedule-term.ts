/**
 * A term of the schedule, published or live: a DuckDB table for filters, and the JSON of sections, courses, departments
 * and schools, from which responses are assembled.
 */
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { scheduleView } from "../../../pipeline/contract/views/schedule.ts";
import { constant, type Fragment, name, sql } from "../../duckdb/sql.ts";
import { jsonObject, load, type Loaded, type Loading, numberRows } from "../loading/loading.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import { same, textLines } from "./expressions.ts";

export interface LoadedTerm extends Loaded {
  /** Courses, departments and schools in the order of their first section. */
  readonly courses: Level;
  readonly departments: Level;
  readonly schools: Level;
}

/**
 * A level of the tree. `starts[i]` is the row id of the first section of group i; `prefixes` are the JSON of groups up
 * to their children.
 */
export interface Level {
  readonly starts: Int32Array;
  readonly prefixes: readonly string[];
}

/**
 * The order of responses: schools by name, departments by code, courses by digits, number and title, sections by code
 * (server/RULES.md, Schedule).
 */
export const COURSE_ORDER = "schoolName, deptCode, courseNumeric, courseNumber, courseTitle";
const ORDER = `${COURSE_ORDER}, sectionCode`;

const lists = (expression: string) => `list_distinct(flatten(list_transform(meetings, lambda m: ${expression})))`;
const minutes = (field: string) => `list_transform(meetings, lambda m: m.${field}.hour * 60 + m.${field}.minute)`;
const anyTba =
  "list_bool_or(list_transform(meetings, lambda m: m.timeIsTBA OR m.startTime IS NULL OR m.endTime IS NULL))";

/** The fields of a response's objects in order, except those of their children. */
export const SECTION_FIELDS = [
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
] as const;
export const COURSE_FIELDS = ["deptCode", "courseComment", "prerequisiteLink", "courseNumber", "courseTitle"] as const;
export const DEPARTMENT_FIELDS = [
  "deptComment",
  "sectionCodeRangeComments",
  "courseNumberRangeComments",
  "deptCode",
  "deptName",
] as const;
export const SCHOOL_FIELDS = ["schoolName", "schoolComment"] as const;

export const scheduleTable = {
  table: "sections",
  columns: {
    ...same(["schoolName", "deptCode", "courseNumber", "courseNumeric", "courseTitle", "sectionType"]),
    ...same(["status", "cancelled", "geCategories"]),
    sectionCode: "sectionCode::INTEGER",
    departmentKey: "upper(replace(deptCode, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    titleKey: "lower(courseTitle)",
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
  },
  orderBy: ORDER,
  record: jsonObject(SECTION_FIELDS),
} satisfies Loading;

const columns = (names: readonly string[]) => constant([...new Set(names)].join(", "));
/** The columns of a numbered section that the view needs to find its course, department and school. */
const SECTION = columns(["row_id", "year", "quarter", "schoolName", "sectionCode", ...COURSE_FIELDS]);

let loads = 0;

/** Loads a term. `sections` and `headings` are relations with the contract's columns. */
export async function loadTerm(pool: Pool, sections: Fragment, headings: Fragment): Promise<LoadedTerm> {
  // Rows of the upstream are a single JSON text, which must not be parsed for every statement.
  const rows = name(`sections_${++loads}`);
  await pool.columns(sql`CREATE TABLE ${rows} AS FROM ${sections}`, LOADING);
  try {
    return await load(pool, scheduleTable, rows, () => readLevels(pool, numberRows(rows, ORDER), headings));
  } finally {
    await pool.columns(sql`DROP TABLE ${rows}`, LOADING);
  }
}

/** Reads the groups of the contract's view, in the order of their first section. */
async function readLevels(
  pool: Pool,
  sections: Fragment,
  headings: Fragment,
): Promise<Pick<LoadedTerm, "courses" | "departments" | "schools">> {
  /** Builds a JSON object up to its children: `{"a":1,"courses":[`. */
  const level = (object: readonly string[], children: string, above: readonly string[] = []) =>
    sql`SELECT ${children} AS children, min(first) AS first,
      left((${constant(jsonObject(object))})::VARCHAR, -1) || ${`,"${children}":[`} AS prefix
      FROM course GROUP BY ${columns([...above, ...object])}`;
  const [children = [], firsts = [], prefixes = []] = await pool.columns(
    sql`WITH sections AS MATERIALIZED (SELECT ${SECTION} FROM ${sections}), headings AS NOT MATERIALIZED (FROM ${headings}),
      course AS MATERIALIZED (SELECT min(row_id) AS first, ${columns([...SCHOOL_FIELDS, ...DEPARTMENT_FIELDS, ...COURSE_FIELDS])}
        FROM (${constant(scheduleView.select)}) GROUP BY ALL)
      ${level(SCHOOL_FIELDS, "departments")} UNION ALL ${level(DEPARTMENT_FIELDS, "courses", SCHOOL_FIELDS)}
      UNION ALL ${level(COURSE_FIELDS, "sections", [...SCHOOL_FIELDS, ...DEPARTMENT_FIELDS])} ORDER BY children, first`,
    LOADING,
  );
  function toLevel(childName: string): Level {
    const [from, to] = [children.indexOf(childName), children.lastIndexOf(childName) + 1];
    return {
      starts: Int32Array.from(firsts.slice(from, to) as number[]),
      prefixes: prefixes.slice(from, to) as string[],
    };
  }
  return { courses: toLevel("sections"), departments: toLevel("courses"), schools: toLevel("departments") };
}
