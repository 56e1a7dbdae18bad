/**
 * Filters and parameters that several endpoints share (server/RULES.md, HTTP); each filter declares the columns that it
 * needs.
 */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import {
  departmentKey,
  DIVISION_BOUNDS,
  type Division,
  DIVISIONS,
  GE_CATEGORIES,
  QUARTER_LONG_NAMES,
  type Quarter,
  QUARTERS,
  SECTION_TYPES,
} from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import { formed, oneOf, required, text, texts } from "../response/params.ts";
import { textLine } from "../snapshot/tables/expressions.ts";
import { either, filterOver, isAnyOf, type Words } from "./filters.ts";
import { netidFilter } from "./instructor-ids.ts";

/** Values of enumerations and departments that mean "no filter" (server/RULES.md, Schedule). */
export const NO_FILTER = ["ANY", "ALL"] as const;

/** A required quarter, which does not accept ANY. */
export const requiredQuarterParam = required(oneOf("quarter or summer session", QUARTERS, { examples: ["Fall"] }));
export const taughtInTermsParam = texts("terms such as `2026 Spring`, ignoring case; any of them", {
  examples: ["2026 Spring", "2025 Fall"],
});

const SECTION_CODE = /^\d{5}$/;

/** Suggests section codes with the leading zeros that spreadsheets strip: `05000` for `5000`. */
export function withZeros(isRight: (codes: string) => boolean): (wrong: string) => string | undefined {
  return (wrong) => {
    const whole = wrong.replace(/\d+/g, (digits) => digits.padStart(5, "0"));
    return isRight(whole) ? whole : undefined;
  };
}

/** Returns the name of a quarter in titles: "Fall", "Summer Session 1". */
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

const DEPARTMENTS = { normalize: departmentKey, noFilter: NO_FILTER, examples: ["COMPSCI"] };

/** The department filter of the schedule; a single one, because the upstream's form takes only one. */
export const oneDepartment = filterOver<"departmentKey">()(
  text("department code, ignoring case and blanks; ALL and ANY ask for every department", DEPARTMENTS),
  (key, c) => isAnyOf(c.departmentKey, [key]),
  (key) => `in ${key}`,
);

export const sharedFilters = {
  year: filterOver<"year">()(
    formed("calendar year", /^\d{4}$/, "a year of four digits", { examples: ["2026"] }),
    (year, c) => sql`${c.year} = ${year}`,
    (year, { quarter }) => (quarter === undefined ? { last: year } : ""),
  ),
  quarter: filterOver<"quarter">()(
    oneOf("quarter or summer session", QUARTERS, { noFilter: NO_FILTER, examples: ["Fall"] }),
    (quarter, c) => sql`${c.quarter} = ${quarter}`,
    (quarter, { year }) => ({ last: [quarterWords(quarter), year].filter(Boolean).join(" ") }),
  ),
  instructor: filterOver<"names">()(
    text("an instructor's shortened name, ignoring case and diacritics", {
      withCommas: true,
      examples: ["AMBERLEY, R."],
    }),
    (instructor, c) => sql`contains(${c.names}, ${textLine(nameKey(instructor))})`,
    (instructor) => `taught by ${instructor}`,
  ),
  netid: netidFilter,
  department: filterOver<"departmentKey">()(
    texts("department codes, ignoring case and blanks; ALL and ANY ask for every department", DEPARTMENTS),
    (keys, c) => isAnyOf(c.departmentKey, keys),
    (keys) => `in ${either(keys)}`,
  ),
  courseNumber: filterOver<"courseNumberKey">()(
    texts("course numbers, ignoring case", { examples: ["161"] }),
    (numbers, c) =>
      isAnyOf(
        c.courseNumberKey,
        numbers.map((number) => number.toLowerCase()),
      ),
    (numbers) => `with course number ${either(numbers)}`,
  ),
  sectionCode: filterOver<"sectionCode">()(
    formed("section code", SECTION_CODE, "a section code of five digits", {
      examples: ["34250"],
      suggest: withZeros((code) => SECTION_CODE.test(code)),
    }),
    (code, c) => sql`${c.sectionCode} = ${code}`,
    (code) => `with section code ${code}`,
  ),
  division: filterOver<"courseNumeric">()(
    oneOf("division of the course number: LowerDiv 1-99, UpperDiv 100-199, Graduate 200+", DIVISIONS, {
      noFilter: NO_FILTER,
      examples: ["UpperDiv"],
    }),
    (division, c) =>
      sql`${c.courseNumeric} BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
    (division) => DIVISION_WORDS[division],
  ),
  ge: filterOver<"geCategories">()(
    oneOf("general education category", GE_CATEGORIES, { noFilter: NO_FILTER, examples: ["GE-2"] }),
    (category, c) => sql`list_contains(${c.geCategories}, ${category})`,
    geWords,
  ),
  sectionType: filterOver<"sectionType">()(
    oneOf("section type", SECTION_TYPES, { noFilter: NO_FILTER, examples: ["Lec"] }),
    (type, c) => sql`${c.sectionType} = ${type}`,
    (type) => ({ before: SECTION_TYPE_WORDS[type] }),
  ),
};

const { year, quarter, instructor, netid, department, courseNumber, sectionCode } = sharedFilters;

/** The filters of grades and enrollment histories. */
export const sectionFilters = { year, quarter, instructor, netid, department, courseNumber, sectionCode };
