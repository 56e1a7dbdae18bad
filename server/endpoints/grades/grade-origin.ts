/** The five views of grades as statements over the published table, for `explain=true`. */
import { GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKey, nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../../pipeline/contract/vocabulary.ts";
import { allOf, constant, type Fragment, sql, toConditions } from "../../duckdb/sql.ts";
import type { Filters } from "../../response/params.ts";
import type { Page, PublishedOrigin } from "../../response/endpoint.ts";
import { inPage } from "../../response/paging.ts";
import { gradesTable } from "../../snapshot/tables/grades.ts";
import type { gradeParams, GradeValues } from "./grade-queries.ts";

const LETTERS = constant(`(${LETTER_COUNTS.join(" + ")} > 0)`);
const isNamed = (column: string, instructor: string): Fragment =>
  sql`${constant(nameKeySql(column))} = ${nameKey(instructor)}`;

/** The filters of `grade-selection.ts`, over texts instead of dictionary numbers. */
const filters: Filters<typeof gradeParams> = {
  year: (year) => sql`year = ${year}`,
  quarter: (quarter) => sql`quarter = ${quarter}`,
  instructor: (instructor) =>
    sql`list_bool_or(list_transform(instructors, lambda name: ${isNamed("name", instructor)}))`,
  department: (key) => sql`upper(replace(department, ' ', '')) = ${key}`,
  courseNumber: (number) => sql`lower(courseNumber) = ${number.toLowerCase()}`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  ge: (category) => sql`list_contains(geCategories, ${category})`,
  excludePNP: (exclude) => (exclude ? LETTERS : sql`TRUE`),
};

function matching(values: GradeValues): Fragment {
  const conditions = toConditions(filters, values);
  return conditions.length === 0 ? sql`FROM grades` : sql`FROM grades WHERE ${allOf(conditions)}`;
}
const ORDER = sql`ORDER BY ${constant(gradesTable.orderBy)}`;

/** Sums of counts, and the mean of the averages of sections with a letter grade. Hundredths are whole numbers: the division is the only rounding. */
const SUMS = sql`${constant(GRADE_COUNTS.map((count) => `coalesce(sum(${count}), 0)::BIGINT AS ${count}`).join(", "))},
  coalesce((sum(averageGPA * 100) FILTER (WHERE ${LETTERS}))::DOUBLE / (100 * count(averageGPA) FILTER (WHERE ${LETTERS})), 0) AS averageGPA`;

const distinct = (values: string): Fragment => constant(`coalesce(list_sort(list_distinct(list(${values}))), [])`);

/** By path, as the endpoints are. */
const STATEMENTS = {
  raw: (values, page) =>
    sql`SELECT * REPLACE (coalesce(averageGPA, 0) AS averageGPA) ${matching(values)} ${ORDER} ${inPage(page)}`,
  aggregate: (values) => sql`SELECT ${SUMS} ${matching(values)}`,
  options: (values) => sql`SELECT list_reverse(${distinct("year")}) AS years, ${distinct("department")} AS departments,
    list_transform(${distinct("{'digits': courseNumeric, 'text': courseNumber}")}, lambda number: number.text) AS courseNumbers,
    ${distinct("sectionCode")} AS sectionCodes,
    coalesce(list_sort(list_distinct(flatten(list(instructors)))), []) AS instructors ${matching(values)}`,
  aggregateByCourse: (values, page) =>
    sql`SELECT department, courseNumber, ${SUMS} ${matching(values)}
      GROUP BY department, courseNumeric, courseNumber ORDER BY department, courseNumeric, courseNumber ${inPage(page)}`,
  aggregateByOffering: ({ instructor, ...values }, page) =>
    sql`SELECT department, courseNumber, instructor, ${SUMS}
      FROM (SELECT *, unnest(list_distinct(instructors)) AS instructor ${matching(values)})
      ${instructor === undefined ? sql`` : sql`WHERE ${isNamed("instructor", instructor)}`}
      GROUP BY department, courseNumeric, courseNumber, instructor
      ORDER BY department, courseNumeric, courseNumber, instructor ${inPage(page)}`,
} satisfies Record<string, (values: GradeValues, page: Page | undefined) => Fragment>;

export type GradeView = keyof typeof STATEMENTS;

export const gradeOrigin = (view: GradeView, values: GradeValues, page: Page | undefined): PublishedOrigin => ({
  reads: [{ table: "grades", ...(values.year === undefined ? {} : { term: { year: values.year } }) }],
  statement: STATEMENTS[view](values, page),
  grades: sql`SELECT * ${matching(values)} ${ORDER} ${view === "raw" ? inPage(page) : sql``}`,
});
