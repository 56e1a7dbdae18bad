/** Grade statistics: filters and one SQL statement per request over the numeric tables (server/RULES.md, Grades), and the JSON of their results. */
import { GRADE_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../../pipeline/contract/vocabulary.ts";
import { allOf, constant, type Fragment, sql, toConditions } from "../../duckdb/sql.ts";
import type { EndpointContext, EndpointResult, List } from "../../response/endpoint.ts";
import { listAll, listRows } from "../../response/list.ts";
import { type Filters, flag, type ValuesOf } from "../../response/params.ts";
import { createYielder } from "../../snapshot/event-loop-yielder.ts";
import { rowCount, toArray, toRange } from "../../snapshot/loading/json-rows.ts";
import { numberedRows } from "../../snapshot/loading/published-rows.ts";
import { selectRowIds } from "../../snapshot/loading/row-ids.ts";
import type { SnapshotTables } from "../../snapshot/tables/all.ts";
import { geBit, GRADE_SUMS, type GradeTables, quarterNumber } from "../../snapshot/tables/grades.ts";
import { divisionParam, geParam, sectionFilterParams } from "../shared-params.ts";

export const gradeParams = {
  ...sectionFilterParams,
  division: divisionParam,
  ge: geParam,
  excludePNP: flag("true leaves out sections that reported Pass/No-Pass grades only"),
};
export type GradeValues = ValuesOf<typeof gradeParams>;

/** A dictionary number without rows. */
const NONE = -1;

const filtersOf = ({ keys }: GradeTables): Filters<typeof gradeParams> => ({
  year: (year) => sql`year = ${Number(year)}`,
  quarter: (quarter) => sql`quarter = ${quarterNumber(quarter)}`,
  // A column of offerings only: `matchingSections` reads them.
  instructor: (instructor) => sql`instructorKey = ${keys.instructor.get(nameKey(instructor)) ?? NONE}`,
  department: (key) => sql`departmentKey = ${keys.department.get(key) ?? NONE}`,
  courseNumber: (number) => sql`courseNumberKey = ${keys.courseNumber.get(number.toLowerCase()) ?? NONE}`,
  sectionCode: (code) => sql`sectionCode = ${Number(code)}`,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  ge: (category) => sql`(ge & ${geBit(category)}) <> 0`,
  excludePNP: (exclude) => (exclude ? sql`hasLetters` : sql`TRUE`),
});

/** `FROM … WHERE …`: the matching sections, each once. */
function matchingSections(values: GradeValues, { grades }: SnapshotTables): Fragment {
  const conditions = allOf(toConditions(filtersOf(grades), values));
  return values.instructor === undefined
    ? sql`FROM ${grades.from} WHERE ${conditions}`
    : sql`FROM ${grades.offerings} WHERE isFirst AND ${conditions}`;
}

/** The offerings of the matching sections; with an instructor given, only that instructor's (server/RULES.md, Grades). */
const matchingOfferings = (values: GradeValues, { grades }: SnapshotTables): Fragment =>
  sql`FROM ${grades.offerings} WHERE offering IS NOT NULL AND ${allOf(toConditions(filtersOf(grades), values))}`;

/** The offerings of the matching sections, ignoring the instructor filter. */
export function allOfferings({ instructor, ...values }: GradeValues, { grades }: SnapshotTables): Fragment {
  const filters = filtersOf(grades);
  const conditions = toConditions(filters, values);
  if (instructor !== undefined) {
    const theirs = toConditions(filters, { instructor });
    conditions.push(sql`row_id IN (SELECT row_id FROM ${grades.offerings} WHERE ${allOf(theirs)})`);
  }
  return sql`FROM ${grades.offerings} WHERE ${allOf(conditions)}`;
}

export const isUnfiltered = (values: GradeValues): boolean =>
  Object.values(values).every((value) => value === undefined);

/** A view of grades: what an endpoint answers. */
export type GradeAnswer = (values: GradeValues, context: EndpointContext) => Promise<EndpointResult | List>;

export const answerRaw: GradeAnswer = async (values, { pool, snapshot }) => {
  const { raw } = snapshot.tables.grades.jsonRows;
  // A blank average is 0 in responses (server/RULES.md, Grades).
  const published = sql`(SELECT * REPLACE (coalesce(averageGPA, 0) AS averageGPA) FROM ${numberedRows(snapshot, "grades")})`;
  if (isUnfiltered(values)) return listAll(raw, published);
  const rowIds = await selectRowIds(pool, sql`SELECT row_id ${matchingSections(values, snapshot.tables)}`);
  return listRows(raw, rowIds, published);
};

const SUMS = constant(GRADE_SUMS.map((column) => `sum(${column})`).join(", "));

export const answerAggregate: GradeAnswer = async (values, { pool, snapshot: { tables } }) => {
  const { listed } = tables.grades.jsonRows;
  const isAll = isUnfiltered(values);
  // One text is four times as fast as a list.
  const rowIds = isAll ? sql`NULL` : sql`string_agg(row_id, ',')`;
  const [ids, ...sums] = await pool.columns(sql`SELECT ${rowIds}, ${SUMS} ${matchingSections(values, tables)}`);
  const matched = Int32Array.from((ids?.[0] as string | null)?.split(",") ?? [], Number).sort();
  const total = isAll ? rowCount(listed) : matched.length;
  const sections = isAll ? toRange(listed, 0, total) : toArray(listed, matched);
  const distribution = `,"gradeDistribution":{${toFields(sums as (number | null)[][], 0)}}}`;
  return { body: [Buffer.from('{"sectionList":'), ...sections, Buffer.from(distribution)], rows: total };
};

export const answerByCourse: GradeAnswer = async (values, { pool, snapshot: { tables } }) => {
  const from = matchingSections(values, tables);
  const groups = await pool.doubles(sql`SELECT course::DOUBLE, ${SUMS} ${from} GROUP BY course`);
  return listGroups(groups, tables.grades.texts.course);
};

export const answerByOffering: GradeAnswer = async (values, { pool, snapshot: { tables } }) => {
  const from = matchingOfferings(values, tables);
  const groups = await pool.doubles(sql`SELECT offering::DOUBLE, ${SUMS} ${from} GROUP BY offering`);
  return listGroups(groups, tables.grades.texts.offering);
};

/** `"gradeACount":9,…,"averageGPA":3.1` of row `row`; `sums` are the columns of GRADE_SUMS, null where no section matches. */
function toFields(sums: readonly ArrayLike<number | null>[], row: number): string {
  const at = (column: number) => sums[column]?.[row] ?? 0;
  const [hundredths, sections] = [at(GRADE_COUNTS.length), at(GRADE_COUNTS.length + 1)];
  // Hundredths are integers: this division is the only rounding.
  const mean = sections === 0 ? 0 : hundredths / (100 * sections);
  const counts = GRADE_COUNTS.map((name, i) => `"${name}":${at(i)}`).join(",");
  return `${counts},"averageGPA":${Number.isInteger(mean) ? mean.toFixed(1) : mean}`;
}

/** One record per group, in the order of dictionary numbers; `prefixes[number]` is the JSON object before its sums, without the closing brace. */
function listGroups([groups = [], ...sums]: readonly ArrayLike<number>[], prefixes: readonly string[]): List {
  const order = Int32Array.from(groups, (_, row) => row).sort((a, b) => (groups[a] as number) - (groups[b] as number));
  const toRecord = (row: number) => `${prefixes[groups[row] as number]},${toFields(sums, row)}}`;
  return {
    total: order.length,
    part: (from, to) => toRecords(order.subarray(from, to), toRecord),
  };
}

const RECORDS_PER_CHUNK = 1024;

/** Builds a JSON array without blocking the event loop. */
async function toRecords(rows: Int32Array, toRecord: (row: number) => string): Promise<Buffer[]> {
  const yieldToEventLoop = createYielder();
  const chunks = [Buffer.from("[")];
  for (let from = 0; from < rows.length; from += RECORDS_PER_CHUNK) {
    const records = Array.from(rows.subarray(from, from + RECORDS_PER_CHUNK), toRecord);
    chunks.push(Buffer.from(`${from > 0 ? "," : ""}${records.join(",")}`));
    await yieldToEventLoop();
  }
  return [...chunks, Buffer.from("]")];
}
