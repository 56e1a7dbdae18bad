/** The five grades endpoints: views of the same filtered rows (server/RULES.md, Grades). */
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { sql } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { listAll, listRows, selectRowIds } from "../../response/list.ts";
import { type ShapeName, shapeOf } from "../../response/shapes/shapes.ts";
import { createYielder } from "../../snapshot/event-loop-yielder.ts";
import { rowCount, toArray, toRange } from "../../snapshot/loading/json-rows.ts";
import { paramsOf, titleOf } from "../filters.ts";
import { withInstructorIds } from "../instructor-ids.ts";
import {
  gradeFilters,
  gradeOrigin,
  type GradeView,
  GROUPED_BY,
  type GroupView,
  loadedGrades,
  matching,
  selectAggregate,
  selectGroups,
  selectOptions,
} from "./grade-statements.ts";

const params = paramsOf(gradeFilters);
/** Views without a section's names of instructors, which ids could stand beside. */
const NAMELESS: readonly GradeView[] = ["options", "aggregateByCourse"];
const { instructorIds: _ids, ...withoutIds } = params;
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

const answerAggregate: Answer = async (values, context) => {
  const { pool, snapshot } = context;
  const { listed } = snapshot.tables.grades.jsonRows;
  const grades = await loadedGrades(values, context);
  const isAll = isUnfiltered(values);
  // One text is read four times as fast as a list.
  const first = isAll ? sql`NULL,` : sql`string_agg(row_id, ','),`;
  const [ids, ...sums] = await pool.columns(selectAggregate(grades, values, { first }));
  const matched = Int32Array.from((ids?.[0] as string | null)?.split(",") ?? [], Number).sort();
  const total = isAll ? rowCount(listed) : matched.length;
  const { jsonRows } = values.instructorIds
    ? await withInstructorIds(pool, listed, grades.column, matching(grades, values))
    : { jsonRows: listed };
  const sections = isAll ? toRange(listed, 0, total) : toArray(jsonRows, matched);
  const distribution = `,"gradeDistribution":{${sumFields(sums, 0)}}}`;
  return { body: [Buffer.from('{"sectionList":'), ...sections, Buffer.from(distribution)], rows: total };
};

const answerOptions: Answer = async (values, context) => {
  const lists = await context.pool.columns(selectOptions(await loadedGrades(values, context), values));
  const [years, departments, courseNumbers, sectionCodes, instructors] = lists.map(([list]) => list);
  return { body: [Buffer.from(JSON.stringify({ years, departments, courseNumbers, sectionCodes, instructors }))] };
};

const answerGroups =
  (view: GroupView): Answer =>
  async (values, context) => {
    const keys = GROUPED_BY[view];
    const first = sql`courseNumeric,`;
    const statement = selectGroups(view, await loadedGrades(values, context), values, { first });
    const [digits = [], ...columns] = await context.pool.columns(statement);
    const [departments = [], ...others] = columns.slice(0, keys.length);
    const order = inOrder([departments, digits, ...others] as (string | number)[][]);
    const sums = columns.slice(keys.length);
    const ids = sums[GRADE_COUNTS.length + 1];
    const toRecord = (row: number) =>
      `{${keys.map((key, i) => `"${key}":${JSON.stringify(columns[i]?.[row])}`).join(",")},${sumFields(sums, row)}${ids ? `,"instructorIds":${JSON.stringify(ids[row])}` : ""}}`;
    return { total: order.length, part: (from, to) => toRecords(order.slice(from, to), toRecord) };
  };

/** The rows by the first column, then by the next ones. Sorting here is cheaper than ORDER BY. */
function inOrder(columns: readonly (readonly (string | number)[])[]): number[] {
  const compare = (a: number, b: number): number => {
    for (const column of columns) {
      const [x, y] = [column[a] ?? "", column[b] ?? ""];
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  };
  return Array.from(columns[0] ?? [], (_, row) => row).sort(compare);
}

const ANSWERS: Readonly<Record<GradeView, Answer>> = {
  raw: answerRaw,
  aggregate: answerAggregate,
  options: answerOptions,
  aggregateByCourse: answerGroups("aggregateByCourse"),
  aggregateByOffering: answerGroups("aggregateByOffering"),
};

/** `"gradeACount":9,…,"averageGPA":3.1` of a row of sums. */
function sumFields(sums: readonly (readonly unknown[])[], row: number): string {
  const mean = Number(sums[GRADE_COUNTS.length]?.[row]);
  const counts = GRADE_COUNTS.map((name, i) => `"${name}":${String(sums[i]?.[row])}`).join(",");
  return `${counts},"averageGPA":${Number.isInteger(mean) ? mean.toFixed(1) : mean}`;
}

const RECORDS_PER_CHUNK = 1024;

/** Builds a JSON array without blocking the event loop. */
async function toRecords(rows: readonly number[], toRecord: (row: number) => string): Promise<Buffer[]> {
  const yieldToEventLoop = createYielder();
  const chunks = [Buffer.from("[")];
  for (let from = 0; from < rows.length; from += RECORDS_PER_CHUNK) {
    const records = rows.slice(from, from + RECORDS_PER_CHUNK).map(toRecord);
    chunks.push(Buffer.from(`${from > 0 ? "," : ""}${records.join(",")}`));
    await yieldToEventLoop();
  }
  return [...chunks, Buffer.from("]")];
}

const grade = (view: GradeView, summary: string, about: string, returns: ShapeName): Endpoint =>
  defineEndpoint({
    path: `/grades/${view}`,
    summary,
    title: titleOf(gradeFilters, "sections", about),
    // Values are optional, given or not offered.
    params: (NAMELESS.includes(view) ? withoutIds : params) as typeof params,
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
