/** Grade statistics: five views of the same filtered rows (behaviour §3). */
import { GRADE_COUNTS } from "../../pipeline/contract/grade.ts";
import { DIVISION_BOUNDS } from "../../pipeline/contract/vocabulary.ts";
import { allOf, constant, type Fragment, sql } from "../bind.ts";
import { type Asked, defineEndpoint, type Endpoint, type Reply, type Filters, toConditions } from "../endpoint.ts";
import { jsonObject } from "../loading.ts";
import { flag, type ValuesOf } from "../params.ts";
import { toArray } from "../rendered.ts";
import type { ShapeName } from "../shapes.ts";
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
  instructor: (instructor) => sql`list_contains(instructorKeys, lower(${instructor}))`,
  department: (key) => sql`departmentKey = ${key}`,
  courseNumber: (number) => sql`courseNumberKey = lower(${number})`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  ge: (category) => sql`list_contains(geCategories, ${category})`,
  excludePNP: (exclude) => (exclude ? sql`hasLetters` : sql`TRUE`),
};

const matching = (values: Values, { snapshot }: Asked): Fragment =>
  sql`${snapshot.tables.grades.from} WHERE ${allOf(toConditions(filters, values))}`;

/**
 * The plain mean of the sections' averages over sections with a letter grade; 0 when there is none. Hundredths are summed as whole numbers, so that
 * the one division is the only rounding.
 */
const averageGPA =
  "coalesce(sum(gpaHundredths) FILTER (hasLetters)::DOUBLE / (100 * count(*) FILTER (hasLetters))::DOUBLE, 0::DOUBLE)";
const summed: readonly (readonly [string, string])[] = [
  ...GRADE_COUNTS.map((count) => [count, `coalesce(sum(${count}), 0)::BIGINT`] as const),
  ["averageGPA", averageGPA],
];

const grade = (
  path: string,
  summary: string,
  returns: ShapeName,
  answer: (values: Values, asked: Asked) => Promise<Reply>,
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

async function readText(asked: Asked, statement: Fragment): Promise<Reply> {
  const [[json] = []] = await asked.pool.columns(statement);
  return { body: [Buffer.from((json as string | null | undefined) ?? "[]")] };
}

/** Rows of JSON texts, already in order, as one array. */
const asArray = (rows: Fragment): Fragment =>
  sql`SELECT '[' || coalesce(string_agg(json, ',' ORDER BY rank), '') || ']' FROM (${rows})`;

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "RawGrades", async (values, asked) => {
    const [places = []] = await asked.pool.columns(sql`SELECT place FROM ${matching(values, asked)} ORDER BY place`);
    return { body: toArray(asked.snapshot.tables.grades.rendered.raw, places as number[]), rows: places.length };
  }),

  grade("aggregate", "All matching sections, and their grades summed", "AggregateGrades", async (values, asked) => {
    const [places = [], json = []] = await asked.pool.columns(
      sql`SELECT coalesce(list(place ORDER BY place), []), (${constant(jsonObject(summed))})::VARCHAR FROM ${matching(values, asked)}`,
    );
    const sections = (places[0] ?? []) as number[];
    const listed = toArray(asked.snapshot.tables.grades.rendered.listed, sections);
    const distribution = Buffer.from(`,"gradeDistribution":${json[0] as string}}`);
    return { body: [Buffer.from('{"sectionList":'), ...listed, distribution], rows: sections.length };
  }),

  grade("options", "The values that are left under the given filters", "GradeOptions", (values, asked) => {
    const matched = matching(values, asked);
    const distinct = (column: string, order = column) =>
      `coalesce(list_transform(list_sort(list(DISTINCT {'o': ${order}, 'v': ${column}})), x -> x.v), [])`;
    const lists = jsonObject([
      ["years", "coalesce(list_sort(list(DISTINCT year), 'DESC'), [])"],
      ["departments", distinct("department")],
      ["courseNumbers", distinct("courseNumber", "{'digits': courseNumeric, 'text': courseNumber}")],
      ["sectionCodes", distinct("sectionCode")],
    ]);
    return readText(
      asked,
      sql`WITH matched AS (SELECT * FROM ${matched})
        SELECT left((SELECT ${constant(lists)}::VARCHAR FROM matched), -1) || ',"instructors":' || (
          SELECT to_json(coalesce(list(DISTINCT name ORDER BY name), []))::VARCHAR FROM (SELECT unnest(instructors) AS name FROM matched)
        ) || '}'`,
    );
  }),

  grade("aggregateByCourse", "Matching sections combined by course", "CourseGrades", (values, asked) =>
    readText(
      asked,
      asArray(sql`SELECT ${constant(jsonObject(["department", "courseNumber", ...summed]))}::VARCHAR AS json,
          row_number() OVER (ORDER BY department, min(courseNumeric), courseNumber) AS rank
        FROM ${matching(values, asked)} GROUP BY department, courseNumber`),
    ),
  ),

  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "OfferingGrades",
    (values, asked) =>
      readText(
        asked,
        asArray(sql`SELECT ${constant(jsonObject(["department", "courseNumber", "instructor", ...summed]))}::VARCHAR AS json,
          row_number() OVER (ORDER BY department, min(courseNumeric), courseNumber, instructor) AS rank
        FROM (SELECT *, unnest(list_distinct(instructors)) AS instructor FROM ${matching(values, asked)})
        WHERE ${values.instructor === undefined ? sql`TRUE` : sql`lower(instructor) = lower(${values.instructor})`}
        GROUP BY department, courseNumber, instructor`),
      ),
  ),
];
