/** Courses of the catalogue (behaviour §4). */
import { COURSE_LEVEL_LABELS, DIVISIONS } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../bind.ts";
import type { Endpoint, Filters } from "../endpoint.ts";
import { oneOf, text, texts } from "../params.ts";
import { taughtInTermsParam, unitsBound, wholeNumber } from "./catalogue-params.ts";
import { containsAny, defineCollection } from "./collection.ts";
import { departmentParam, geParam, NO_FILTER } from "./shared-params.ts";

const params = {
  department: departmentParam,
  courseNumber: text("course number, ignoring case"),
  courseNumeric: wholeNumber("the digits of the course number, as a number"),
  titleContains: text("part of the title, ignoring case"),
  courseLevel: oneOf("level of the course", DIVISIONS, { noFilter: NO_FILTER }),
  minUnits: unitsBound("the course gives at least this many units"),
  maxUnits: unitsBound("the course gives at most this many units"),
  descriptionContains: text("part of the description, ignoring case"),
  taughtByInstructors: texts("netids; any of them taught the course"),
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
  idExample: "COMPSCI161, I%26CSCI46 or CRM%2FLAWC7",
  product: "catalogue",
  shapes: ["Course", "Courses"],
  params,
  filters,
  idKey: sql`idKey`,
  table: ({ tables }) => ({ from: tables.courses.from, rows: tables.courses.rendered.course }),
});
