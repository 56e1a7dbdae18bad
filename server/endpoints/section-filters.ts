/** The filters that grades and enrollment histories share. */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import { sql } from "../duckdb/sql.ts";
import { textLine } from "../snapshot/tables/expressions.ts";
import { filterOver } from "./filters.ts";
import {
  courseNumberParam,
  departmentParam,
  instructorParam,
  quarterParam,
  sectionCodeParam,
  yearParam,
} from "./shared-params.ts";

const filter = filterOver<"year" | "quarter" | "sectionCode" | "departmentKey" | "courseNumberKey" | "names">();

export const sectionFilters = {
  year: filter(
    yearParam,
    (year, c) => sql`${c.year} = ${year}`,
    (year) => year,
  ),
  quarter: filter(
    quarterParam,
    (quarter, c) => sql`${c.quarter} = ${quarter}`,
    (quarter) => quarter,
  ),
  instructor: filter(
    instructorParam,
    (instructor, c) => sql`contains(${c.names}, ${textLine(nameKey(instructor))})`,
    (instructor) => `taught by ${instructor}`,
  ),
  department: filter(
    departmentParam,
    (key, c) => sql`${c.departmentKey} = ${key}`,
    (key) => key,
  ),
  courseNumber: filter(
    courseNumberParam,
    (number, c) => sql`${c.courseNumberKey} = lower(${number})`,
    (number) => `course number ${number}`,
  ),
  sectionCode: filter(
    sectionCodeParam,
    (code, c) => sql`${c.sectionCode} = ${code}`,
    (code) => `section ${code}`,
  ),
};
