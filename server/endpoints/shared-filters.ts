/** Filters of several endpoints, each over the columns that it names. */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import {
  DIVISION_BOUNDS,
  type Division,
  QUARTER_LONG_NAMES,
  type Quarter,
  type SECTION_TYPES,
} from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import { textLine } from "../snapshot/tables/expressions.ts";
import { filterOver, type Words } from "./filters.ts";
import {
  courseNumberParam,
  departmentParam,
  divisionParam,
  geParam,
  instructorParam,
  quarterParam,
  sectionCodeParam,
  sectionTypeParam,
  yearParam,
} from "./shared-params.ts";

/** "Fall", "Summer Session 1" */
const quarterWords = (quarter: Quarter): string => QUARTER_LONG_NAMES[quarter].replace(" Quarter", "");

export const DIVISION_WORDS: Readonly<Record<Division, Words>> = {
  LowerDiv: { before: "lower-division" },
  UpperDiv: { before: "upper-division" },
  Graduate: { before: "graduate" },
};

const SECTION_TYPE_WORDS: Readonly<Record<(typeof SECTION_TYPES)[number], string>> = {
  Act: "activity",
  Col: "colloquium",
  Dis: "discussion",
  Fld: "fieldwork",
  Lab: "laboratory",
  Lec: "lecture",
  Qiz: "quiz",
  Res: "research",
  Sem: "seminar",
  Stu: "studio",
  Tap: "tutorial assistance",
  Tut: "tutorial",
};

export const geWords = (category: string): string => `satisfying ${category}`;

export const sharedFilters = {
  year: filterOver<"year">()(
    yearParam,
    (year, c) => sql`${c.year} = ${year}`,
    (year, { quarter }) => (quarter === undefined ? { last: year } : ""),
  ),
  quarter: filterOver<"quarter">()(
    quarterParam,
    (quarter, c) => sql`${c.quarter} = ${quarter}`,
    (quarter, { year }) => ({ last: [quarterWords(quarter), year].filter(Boolean).join(" ") }),
  ),
  instructor: filterOver<"names">()(
    instructorParam,
    (instructor, c) => sql`contains(${c.names}, ${textLine(nameKey(instructor))})`,
    (instructor) => `taught by ${instructor}`,
  ),
  department: filterOver<"departmentKey">()(
    departmentParam,
    (key, c) => sql`${c.departmentKey} = ${key}`,
    (key) => `in ${key}`,
  ),
  courseNumber: filterOver<"courseNumberKey">()(
    courseNumberParam,
    (number, c) => sql`${c.courseNumberKey} = lower(${number})`,
    (number) => `with course number ${number}`,
  ),
  sectionCode: filterOver<"sectionCode">()(
    sectionCodeParam,
    (code, c) => sql`${c.sectionCode} = ${code}`,
    (code) => `with section code ${code}`,
  ),
  division: filterOver<"courseNumeric">()(
    divisionParam,
    (division, c) =>
      sql`${c.courseNumeric} BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
    (division) => DIVISION_WORDS[division],
  ),
  ge: filterOver<"geCategories">()(
    geParam,
    (category, c) => sql`list_contains(${c.geCategories}, ${category})`,
    geWords,
  ),
  sectionType: filterOver<"sectionType">()(
    sectionTypeParam,
    (type, c) => sql`${c.sectionType} = ${type}`,
    (type) => ({ before: SECTION_TYPE_WORDS[type] }),
  ),
};

const { year, quarter, instructor, department, courseNumber, sectionCode } = sharedFilters;

/** Those of grades and enrollment histories. */
export const sectionFilters = { year, quarter, instructor, department, courseNumber, sectionCode };
