/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { constant, sql } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { listAll, listRows, listTexts, readTexts, selectRowIds } from "../../response/list.ts";
import { type ShapeName, shapeOf } from "../../response/shapes/shapes.ts";
import { rowCount, toArray, toRange } from "../../snapshot/loading/json-rows.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { withInstructorIds } from "../instructor-ids.ts";
import {
  gradeFilters,
  gradeOrigin,
  type GradeView,
  loadedGrades,
  matching,
  SELECT,
  sortParam,
  sumsOf,
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
  const { raw } = context.snapshot.tables.grades.jsonRows;
  if (isUnfiltered(values)) return listAll(raw);
  const grades = await loadedGrades(values, context);
  const rows = matching(grades, values);
  if (values.instructorIds) {
    const { jsonRows, rowIds } = await withInstructorIds(context.pool, raw, grades.column, rows);
    return listRows(jsonRows, rowIds);
  }
  return listRows(raw, await selectRowIds(context.pool, sql`SELECT row_id ${rows}`));
};

const DISTRIBUTION = constant(`${jsonObject([...GRADE_COUNTS, "averageGPA"])}::VARCHAR`);

/** Finds the sections and their sums in one pass. A text of row ids is read four times as fast as a list. */
const answerAggregate: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { listed } = snapshot.tables.grades.jsonRows;
  const grades = await loadedGrades(values, context);
  const isAll = isUnfiltered(values);
  const first = isAll ? sql`NULL AS rowIds,` : sql`string_agg(row_id, ',') AS rowIds,`;
  const sums = sumsOf(grades, values, "zero", first);
  const [[ids] = [], [distribution] = []] = await pool.columns(sql`SELECT rowIds, ${DISTRIBUTION} FROM (${sums})`);
  const matched = Int32Array.from((ids as string | null)?.split(",") ?? [], Number).sort();
  const total = isAll ? rowCount(listed) : matched.length;
  const { jsonRows } = values.instructorIds
    ? await withInstructorIds(pool, listed, grades.column, matching(grades, values))
    : { jsonRows: listed };
  const sections = isAll ? toRange(listed, 0, total) : toArray(jsonRows, matched);
  const rest = `,"gradeDistribution":${String(distribution)}}`;
  return { body: [Buffer.from('{"sectionList":'), ...sections, Buffer.from(rest)], rows: total };
};

const answerOptions: Answer = async (values, context) => {
  const options = await readTexts(context.pool, SELECT.options(await loadedGrades(values, context), values));
  return { body: options.map((text) => Buffer.from(text)) };
};

const answerGroups =
  (view: GradeView): Answer =>
  async (values, context) =>
    listTexts(await readTexts(context.pool, SELECT[view](await loadedGrades(values, context), values)));

const ANSWERS: Readonly<Record<GradeView, Answer>> = {
  raw: answerRaw,
  aggregate: answerAggregate,
  options: answerOptions,
  aggregateByCourse: answerGroups("aggregateByCourse"),
  aggregateByOffering: answerGroups("aggregateByOffering"),
};

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
    answer: ANSWERS[view],
    origin: (values, _context, page) => gradeOrigin(view, values, page),
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
