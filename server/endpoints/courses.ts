/** Courses of the catalogue (behaviour §4). */
import { COURSE_LEVEL_LABELS, DIVISIONS } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import type { Endpoint } from "../response/endpoint.ts";
import { type Filters, oneOf, text, texts } from "../response/params.ts";
import { numberedRows } from "../snapshot/published-rows.ts";
import { coursesTable } from "../snapshot/tables/catalogue.ts";
import { taughtInTermsParam, unitsBound, wholeNumber } from "./catalogue-params.ts";
import { containsAny, defineCollection } from "./collection.ts";
import { courseNumberParam, departmentParam, geParam, NO_FILTER } from "./shared-params.ts";

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
    "department code and course number without blanks, percent-encoded: `COMPSCI161`, `I%26CSCI46`, `CRM%2FLAWC7`",
  idExample: "COMPSCI161",
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
