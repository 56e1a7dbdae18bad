/** Courses of the catalogue (server/RULES.md, Instructors and courses). */
import { COURSE_LEVEL_LABELS, DIVISIONS } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { formOf, oneOf, text, texts, type Filters, type Param } from "../response/params.ts";
import { numberedRows } from "../snapshot/loading/published-rows.ts";
import { coursesTable } from "../snapshot/tables/catalogue.ts";
import { containsAny, defineCollection } from "./collection.ts";
import { NO_FILTER, courseNumberParam, departmentParam, geParam, taughtInTermsParam } from "./shared-params.ts";

/** A number such as `4`, `.5` or `1.3`. */
const UNITS = /^(\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/;
const unitsBound = (about: string, examples: readonly string[]): Param<number> =>
  formOf(about, (value) => (UNITS.test(value) ? Number(value) : undefined), "a number of units", {
    pattern: UNITS.source,
    examples,
  });

const WHOLE = /^\d{1,9}$/;
const wholeNumber = (about: string, examples: readonly string[]): Param<number> =>
  formOf(about, (value) => (WHOLE.test(value) ? Number(value) : undefined), "a whole number", {
    pattern: WHOLE.source,
    examples,
  });

const params = {
  department: departmentParam,
  courseNumber: courseNumberParam,
  courseNumeric: wholeNumber("the digits of the course number, as a number", ["161"]),
  titleContains: text("part of the title, ignoring case", { examples: ["algorithms"] }),
  courseLevel: oneOf("level of the course", DIVISIONS, { noFilter: NO_FILTER, examples: ["UpperDiv"] }),
  minUnits: unitsBound("the course gives at least this many units", ["2"]),
  maxUnits: unitsBound("the course gives at most this many units", ["4", "1.3"]),
  descriptionContains: text("part of the description, ignoring case", { examples: ["data structures"] }),
  taughtByInstructors: texts("netids; any of them taught the course", { examples: ["ramberley"] }),
  geCategory: geParam,
  taughtInTerms: taughtInTermsParam,
};

const filters: Filters<typeof params> = {
  department: (key) => sql`departmentKey = ${key}`,
  courseNumber: (number) => sql`courseNumberKey = lower(${number})`,
  courseNumeric: (digits) => sql`courseNumeric = ${digits}`,
  titleContains: (part) => sql`contains(titleKey, lower(${part}))`,
  courseLevel: (level) => sql`courseLevel = ${COURSE_LEVEL_LABELS[level]}`,
  minUnits: (least) => sql`minUnits >= ${least}::DOUBLE`,
  maxUnits: (most) => sql`maxUnits <= ${most}::DOUBLE`,
  descriptionContains: (part) => sql`contains(descriptionKey, lower(${part}))`,
  taughtByInstructors: (netids) => containsAny(sql`instructorKeys`, netids),
  geCategory: (category) => sql`list_contains(geList, ${category})`,
  taughtInTerms: (terms) => containsAny(sql`termKeys`, terms),
};

export const courseEndpoints: readonly Endpoint[] = defineCollection({
  path: "/courses",
  nouns: ["course", "courses"],
  idAbout:
    "department code and course number without blanks, percent-encoded: `COMPSCI161`, `I%26CSCI46`, `CRM%2FLAWC7` (or `CRM/LAWC7`)",
  idExample: "COMPSCI161",
  idHasSlashes: true,
  example: { department: "COMPSCI", courseLevel: "UpperDiv" },
  products: ["catalogue", "history"],
  shapes: ["Course", "Courses"],
  params,
  filters,
  loading: coursesTable,
  key: "id",
  table: (snapshot) => {
    const { courses } = snapshot.tables;
    return { ...courses, rows: courses.jsonRows.course, published: numberedRows(snapshot, "courses") };
  },
});
