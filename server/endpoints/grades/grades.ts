/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import { listRecords, selectRows } from "../../response/list.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import { withoutGrades } from "../../snapshot/tables/grades.ts";
import { selectRowsWithIds } from "../instructor-ids.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { type ShapeName, shapeOf } from "../../response/shapes/shapes.ts";
import { paramsOf, titleOf } from "../filters.ts";
import {
  gradeFilters,
  gradeOrigin,
  type GradeView,
  loadedGrades,
  matching,
  selectSums,
  sortParam,
} from "./grade-statements.ts";

/** The views of groups, which support `sort`. */
const GROUPED: readonly GradeView[] = ["aggregateByCourse", "aggregateByOffering"];
const params = { ...paramsOf(gradeFilters), sort: sortParam };
/** The views without instructor names, which do not support `instructorIds`. */
const NAMELESS: readonly GradeView[] = ["options", "aggregateByCourse"];

/** Returns the parameters of a view. The type is that of all parameters, because values are optional. */
function paramsOfView(view: GradeView): typeof params {
  const isOffered = (name: string) =>
    name === "instructorIds" ? !NAMELESS.includes(view) : name !== "sort" || GROUPED.includes(view);
  return Object.fromEntries(Object.entries(params).filter(([name]) => isOffered(name))) as typeof params;
}

type Answer = NonNullable<Endpoint<typeof params>["answer"]>;

const isUnfiltered = (values: object): boolean => Object.values(values).every((value) => value === undefined);

const answerRaw: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { records } = snapshot.tables.grades;
  if (isUnfiltered(values)) return listRecords({ records, rowIds: undefined });
  const grades = await loadedGrades(values, context);
  const rows = matching(grades, values);
  return listRecords(
    values.instructorIds
      ? await selectRowsWithIds(pool, records, grades.column, rows)
      : await selectRows(pool, records, rows),
  );
};

const DISTRIBUTION = constant(`${jsonObject([...GRADE_COUNTS, "averageGPA"])}::VARCHAR`);

/** Finds the sections and their sums in one pass. A text of row ids is read four times as fast as a list. */
const answerAggregate: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { records } = snapshot.tables.grades;
  const grades = await loadedGrades(values, context);
  const first = isUnfiltered(values) ? sql`NULL AS rowIds,` : sql`string_agg(row_id, ',') AS rowIds,`;
  const sums = selectSums(grades, values, "zero", first);
  const [[ids] = [], [distribution] = []] = await pool.columns(sql`SELECT rowIds, ${DISTRIBUTION} FROM (${sums})`);
  const rowIds = Int32Array.from((ids as string | null)?.split(",") ?? [], Number).sort();
  const withIds = values.instructorIds
    ? (await selectRowsWithIds(pool, records, grades.column, matching(grades, values))).records
    : records;
  const sections = isUnfiltered(values) ? records : Array.from(rowIds, (rowId) => withIds[rowId] as string);
  const list = sections.map(withoutGrades).join(",");
  return {
    body: [Buffer.from(`{"sectionList":[${list}],`), Buffer.from(`"gradeDistribution":${String(distribution)}}`)],
    rows: sections.length,
  };
};

/** The views whose records are in memory; the others are the rows of their statements. */
const ANSWERS: { readonly [V in GradeView]?: Answer } = { raw: answerRaw, aggregate: answerAggregate };

const grade = (view: GradeView, summary: string, about: string, returns: ShapeName): Endpoint =>
  defineEndpoint({
    path: `/grades/${view}`,
    summary,
    title: titleOf(gradeFilters, "sections", about),
    params: paramsOfView(view),
    example: { department: "COMPSCI", courseNumber: "161" },
    tables: ["grades"],
    products: ["grades"],
    returns: shapeOf(returns),
    ...(ANSWERS[view] ? { answer: ANSWERS[view] } : {}),
    origin: (values, context, page) => gradeOrigin(view, values, context, page),
  });

export const gradesEndpoints: readonly Endpoint[] = [
  grade("raw", "One record for each section that matches", "grades of", "RawGrades"),
  grade("aggregate", "All matching sections, and their grades summed", "grade distribution of", "AggregateGrades"),
  grade("options", "The values that are left under the given filters", "choices for grades of", "GradeOptions"),
  grade("aggregateByCourse", "Matching sections combined by course", "grades by course of", "CourseGrades"),
  grade(
    "aggregateByOffering",
    "Matching sections combined by course and instructor",
    "grades by course and instructor of",
    "OfferingGrades",
  ),
];
