/** Grade statistics: five views of the same filtered rows (behaviour §3). DuckDB filters and aggregates, one statement per request. */
import { constant, sql } from "../../duckdb/sql.ts";
import {
  defineEndpoint,
  type Endpoint,
  type EndpointResult,
  type List,
  type EndpointContext,
} from "../../response/endpoint.ts";
import { listAll, listRows } from "../../response/list.ts";
import type { ShapeName } from "../../response/shapes.ts";
import { numberedRows } from "../../snapshot/published-rows.ts";
import { selectRowIds } from "../../snapshot/row-ids.ts";
import { GRADE_SUMS } from "../../snapshot/tables/grades.ts";
import { allOptions, readOptions, toOptions } from "./grade-options.ts";
import { listGroups, toDistribution } from "./grade-records.ts";
import { gradeParams, type GradeValues, isUnfiltered, matchingOfferings, matchingSections } from "./grade-selection.ts";

const SUMS = constant(GRADE_SUMS.map((column) => `sum(${column})`).join(", "));

const grade = (
  path: string,
  summary: string,
  returns: ShapeName,
  answer: (values: GradeValues, context: EndpointContext) => Promise<EndpointResult | List>,
): Endpoint =>
  defineEndpoint({
    path: `/grades/${path}`,
    summary,
    params: gradeParams,
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns,
    answer,
  });

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "RawGrades", async (values, { pool, snapshot }) => {
    const { grades } = snapshot.tables;
    // A blank average is 0 in responses (behaviour §3).
    const published = sql`(SELECT * REPLACE (coalesce(averageGPA, 0) AS averageGPA) FROM ${numberedRows(snapshot, "grades")})`;
    if (isUnfiltered(values, grades)) return listAll(grades.jsonRows.raw, published);
    const rowIds = await selectRowIds(pool, sql`SELECT row_id ${matchingSections(values, snapshot.tables)}`);
    return listRows(grades.jsonRows.raw, rowIds, published);
  }),

  grade(
    "aggregate",
    "All matching sections, and their grades summed",
    "AggregateGrades",
    async (values, { pool, snapshot: { tables } }) => {
      const { grades } = tables;
      const isAll = isUnfiltered(values, grades);
      // One text is four times as fast as a list.
      const rowIds = isAll ? sql`NULL` : sql`string_agg(row_id, ',')`;
      const [ids, ...sums] = await pool.columns(sql`SELECT ${rowIds}, ${SUMS} ${matchingSections(values, tables)}`);
      const matched = Int32Array.from((ids?.[0] as string | null)?.split(",") ?? [], Number).sort();
      const sections = isAll ? listAll(grades.jsonRows.listed) : listRows(grades.jsonRows.listed, matched);
      const distribution = `,"gradeDistribution":${toDistribution(sums as (number | null)[][])}}`;
      const sectionList = (await sections.part(0, sections.total)) as Buffer[];
      return {
        body: [Buffer.from('{"sectionList":'), ...sectionList, Buffer.from(distribution)],
        rows: sections.total,
      };
    },
  ),

  grade(
    "options",
    "The values that are left under the given filters",
    "GradeOptions",
    async (values, { pool, snapshot }) => {
      const { grades } = snapshot.tables;
      const options = isUnfiltered(values, grades)
        ? allOptions(grades)
        : await readOptions(pool, values, snapshot.tables);
      return { body: [Buffer.from(toOptions(options, grades))] };
    },
  ),

  grade(
    "aggregateByCourse",
    "Matching sections combined by course",
    "CourseGrades",
    async (values, { pool, snapshot: { tables } }) => {
      const from = matchingSections(values, tables);
      return listGroups(
        await pool.doubles(sql`SELECT course::DOUBLE, ${SUMS} ${from} GROUP BY course`),
        tables.grades.texts.course,
      );
    },
  ),

  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "OfferingGrades",
    async (values, { pool, snapshot: { tables } }) => {
      const from = matchingOfferings(values, tables);
      return listGroups(
        await pool.doubles(sql`SELECT offering::DOUBLE, ${SUMS} ${from} GROUP BY offering`),
        tables.grades.texts.offering,
      );
    },
  ),
];
