/** Courses of the catalogue (server/RULES.md, Instructors and courses). */
import { courseIdKey } from "../../pipeline/contract/course-name.ts";
import { COURSE_LEVEL_LABELS, DIVISIONS } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { numberOf, oneOf, type Param, texts } from "../response/params.ts";
import { columnsOf } from "../snapshot/loading/loading.ts";
import { coursesTable } from "../snapshot/tables/catalogue.ts";
import { containsAny, defineCollection, idsFilter, partFilter } from "./collection.ts";
import { counted, either, filterOver } from "./filters.ts";
import { renamedCourses } from "./renamed-courses.ts";
import { DIVISION_WORDS, geWords, NO_FILTER, sharedFilters, taughtInTermsParam } from "./shared-filters.ts";

/** Matches a number such as `4`, `.5` or `1.3`. */
const UNITS = /^(\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/;
const unitsBound = (about: string, examples: readonly string[]): Param<number> =>
  numberOf(about, UNITS, "a number of units", examples);

const filter = filterOver<keyof typeof coursesTable.columns>();

const filters = {
  ids: idsFilter("ids or names of courses, ignoring case and blanks", ["COMPSCI161", "MATH 2A"], courseIdKey),
  department: sharedFilters.department,
  courseNumber: sharedFilters.courseNumber,
  courseNumeric: filter(
    numberOf("the digits of the course number, as a number", /^\d{1,9}$/, "a whole number", ["161"]),
    (digits, c) => sql`${c.courseNumeric} = ${digits}`,
    (digits) => `numbered ${digits} with or without letters`,
  ),
  titleContains: partFilter("titleKey", "the title", "algorithms"),
  courseLevel: filter(
    oneOf("level of the course", DIVISIONS, { noFilter: NO_FILTER, examples: ["UpperDiv"] }),
    (level, c) => sql`${c.courseLevel} = ${COURSE_LEVEL_LABELS[level]}`,
    (level) => DIVISION_WORDS[level],
  ),
  minUnits: filter(
    unitsBound("the course gives at least this many units", ["2"]),
    (least, c) => sql`${c.minUnits} >= ${least}::DOUBLE`,
    (least, { maxUnits }) =>
      maxUnits === undefined
        ? `of at least ${counted(least, "unit")}`
        : `of ${least} to ${counted(Number(maxUnits), "unit")}`,
  ),
  maxUnits: filter(
    unitsBound("the course gives at most this many units", ["4", "1.3"]),
    (most, c) => sql`${c.maxUnits} <= ${most}::DOUBLE`,
    (most, { minUnits }) => (minUnits === undefined ? `of at most ${counted(most, "unit")}` : ""),
  ),
  descriptionContains: partFilter("descriptionKey", "the description", "data structures"),
  taughtByInstructors: filter(
    texts("netids; any of them taught the course", { examples: ["ramberley"] }),
    (netids, c) => containsAny(c.instructorKeys, netids),
    (netids) => `taught by ${either(netids)}`,
  ),
  geCategory: filter(sharedFilters.ge.param, (category, c) => sql`list_contains(${c.geList}, ${category})`, geWords),
  taughtInTerms: filter(
    taughtInTermsParam,
    (terms, c) => containsAny(c.termKeys, terms),
    (terms) => `taught in ${either(terms)}`,
  ),
};

export const courseEndpoints: readonly Endpoint[] = defineCollection({
  noun: "course",
  id: {
    about:
      "department code and course number, with or without blanks, percent-encoded: `COMPSCI161`, `MATH%202B`, `I%26CSCI46`, `CRM%2FLAWC7` (or `CRM/LAWC7`)",
    key: courseIdKey,
    example: "COMPSCI161",
    hasSlashes: true,
  },
  example: { department: "COMPSCI", courseLevel: "UpperDiv" },
  products: ["catalogue", "history"],
  shapes: ["Course", "Courses"],
  filters,
  loading: coursesTable,
  columns: columnsOf(coursesTable),
  key: "id",
  otherIds: renamedCourses,
});
