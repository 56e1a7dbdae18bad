/** Grade statistics: five views of the same filtered rows (behaviour §3). */
import { nameKey } from "../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../pipeline/contract/vocabulary.ts";
import { allOf, sql } from "../duckdb/sql.ts";
import {
  type RequestContext,
  defineEndpoint,
  type Endpoint,
  type Filters,
  type List,
  type EndpointResult,
  toConditions,
} from "../response/endpoint.ts";
import { listMembers, sumAll, sumByGroup } from "./grade-sums.ts";
import { listRows } from "../response/list.ts";
import { flag, type ValuesOf } from "../response/params.ts";
import { numberedRows } from "../snapshot/published-rows.ts";
import { selectRowIds } from "../snapshot/row-ids.ts";
import { toArray } from "../snapshot/json-rows.ts";
import type { ShapeName } from "../response/shapes.ts";
import { OPTION_LISTS } from "../snapshot/tables/grade-figures.ts";
import {
  courseNumberParam,
  departmentParam,
  divisionParam,
  geParam,
  instructorParam,
  quarterParam,
  sectionCodeParam,
  yearParam,
} from "./shared-params.ts";

const params = {
  year: yearParam,
  quarter: quarterParam,
  instructor: instructorParam,
  department: departmentParam,
  courseNumber: courseNumberParam,
  sectionCode: sectionCodeParam,
  division: divisionParam,
  ge: geParam,
  excludePNP: flag("true leaves out sections that reported Pass/No-Pass grades only"),
};
type Values = ValuesOf<typeof params>;

const filters: Filters<typeof params> = {
  year: (year) => sql`year = ${year}`,
  quarter: (quarter) => sql`quarter = ${quarter}`,
  instructor: (instructor) => sql`list_contains(instructorKeys, ${nameKey(instructor)})`,
  department: (key) => sql`departmentKey = ${key}`,
  courseNumber: (number) => sql`courseNumberKey = lower(${number})`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  ge: (category) => sql`list_contains(geCategories, ${category})`,
  excludePNP: (exclude) => (exclude ? sql`hasLetters` : sql`TRUE`),
};

/** The places of the rows that match; all of them need no statement. */
async function matching(values: Values, { pool, snapshot: { tables } }: RequestContext): Promise<Int32Array> {
  const conditions = toConditions(filters, values);
  if (conditions.length === 0) return tables.grades.figures.all;
  return selectRowIds(pool, sql`SELECT place FROM ${tables.grades.from} WHERE ${allOf(conditions)}`);
}

const grade = (
  path: string,
  summary: string,
  returns: ShapeName,
  answer: (values: Values, asked: RequestContext) => Promise<EndpointResult | List>,
): Endpoint =>
  defineEndpoint({
    path: `/grades/${path}`,
    summary,
    params,
    example: { department: "COMPSCI", courseNumber: "161" },
    products: ["grades"],
    returns,
    answer,
  });

/** Whether an offering's record was asked for: with an instructor given, only that instructor's (behaviour §8). */
function wantedOffering({ instructor }: Values, { snapshot }: RequestContext): (id: number) => boolean {
  if (instructor === undefined) return () => true;
  const { offeringKeys } = snapshot.tables.grades.figures;
  const key = nameKey(instructor);
  return (id) => offeringKeys[id] === key;
}

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "RawGrades", async (values, asked) => {
    const { jsonRows } = asked.snapshot.tables.grades;
    const published = sql`(SELECT * REPLACE (coalesce(averageGPA, 0) AS averageGPA) FROM ${numberedRows(asked.snapshot, "grades")})`;
    return listRows(jsonRows.raw, await matching(values, asked), published);
  }),

  grade("aggregate", "All matching sections, and their grades summed", "AggregateGrades", async (values, asked) => {
    const { jsonRows, figures } = asked.snapshot.tables.grades;
    const places = await matching(values, asked);
    const distribution = Buffer.from(`,"gradeDistribution":${sumAll(figures, places)}}`);
    const listed = toArray(jsonRows.listed, places);
    return { body: [Buffer.from('{"sectionList":'), ...listed, distribution], rows: places.length };
  }),

  grade("options", "The values that are left under the given filters", "GradeOptions", async (values, asked) => {
    const { options } = asked.snapshot.tables.grades.figures;
    const places = await matching(values, asked);
    const lists = OPTION_LISTS.map((name) => `"${name}":${listMembers(options[name], places)}`);
    return { body: [Buffer.from(`{${lists.join(",")}}`)] };
  }),

  grade("aggregateByCourse", "Matching sections combined by course", "CourseGrades", async (values, asked) => {
    const { figures } = asked.snapshot.tables.grades;
    return sumByGroup(figures, figures.courses, await matching(values, asked));
  }),

  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "OfferingGrades",
    async (values, asked) => {
      const { figures } = asked.snapshot.tables.grades;
      const places = await matching(values, asked);
      return sumByGroup(figures, figures.offerings, places, wantedOffering(values, asked));
    },
  ),
];
