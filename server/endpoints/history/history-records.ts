/**
 * Enrollment histories, streamed from the published files: one statement finds the matching sections, then each batch is one statement. A slow client holds
 * no connection, and only one batch is in memory.
 */
import { join } from "node:path";
import { type SnapshotValue, SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Partition } from "../../../pipeline/contract/documents/manifest.ts";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { compareTerms, type Term } from "../../../pipeline/contract/vocabulary.ts";
import { allOf, constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Body, List } from "../../response/endpoint.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { jsonObject, publishedRows } from "../../snapshot/loading/loading.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { describeHistory, HISTORY_KEYS } from "../../snapshot/tables/history-term.ts";
import { type Batch, countOf, type Found, sliceFound, toBatches } from "./history-batches.ts";

export const SERVED_AS: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "maxCapacityHistory",
  totalEnrolled: "totalEnrolledHistory",
  waitlist: "waitlistHistory",
  waitlistCap: "waitlistCapHistory",
  requested: "requestedHistory",
  newOnlyReserved: "newOnlyReservedHistory",
  status: "statusHistory",
};

const values = SNAPSHOT_VALUES.join(", ");
const snapshot = constant(`{'date': date, ${SNAPSHOT_VALUES.map((name) => `'${name}': ${name}`).join(", ")}}`);
const listOf = (name: string) => `list_transform(snapshots, lambda s: s.${name})`;
const lists = jsonObject([
  ["dates", listOf("date")],
  ...SNAPSHOT_VALUES.map((name) => [SERVED_AS[name], listOf(name)] as const),
]);
/** Joins two JSON objects, the section and its history, into one. */
const record = (sectionCode: string) => constant(`${describeHistory(sectionCode)} || ',' || (${lists}::VARCHAR)[2:]`);
/** Section codes are numbers (interface specification §9), or strings of five digits with COMPAT=1. */
const RECORDS = { number: record("sectionCode::INTEGER"), text: record("sectionCode") };
export type CodeForm = keyof typeof RECORDS;

/** The matching records in the order of terms and rows; a single batch is buffered, several are streamed. */
export async function listHistory(
  pool: Pool,
  generation: Generation,
  term: Partial<Term>,
  conditions: readonly Fragment[],
  codes: CodeForm = "number",
): Promise<List> {
  const files = findFiles(generation, term);
  const found = conditions.length === 0 ? files : await findRows(pool, files, conditions);
  return {
    // Every section has at least one snapshot, so every row is a record.
    total: found.reduce((sum, { rows }) => sum + countOf(rows), 0),
    part: (from, to) => readBatches(pool, toBatches(sliceFound(found, from, to)), conditions, codes),
    relation: (from, to) => daysOf(sliceFound(found, from, to)),
  };
}

async function readBatches(
  pool: Pool,
  batches: readonly Batch[],
  conditions: readonly Fragment[],
  codes: CodeForm,
): Promise<Body> {
  const read = async (batch: Batch): Promise<Buffer[]> => {
    const records = await readRecords(pool, batch, conditions, codes);
    return records.map((text, i) => Buffer.from(i === 0 ? text : `,${text}`));
  };
  const [only] = batches;
  if (batches.length < 2) return [OPEN, ...(only ? await read(only) : []), CLOSE];
  return stream(batches, read);
}

/** The days of one term's rows, for CSV, NDJSON and Parquet. */
export const daysOfRows = (generation: Generation, term: Term, rows: Int32Array): Fragment =>
  daysOf(findFiles(generation, term).map((file) => ({ ...file, rows: Array.from(rows) })));

/** A row for each section and day on which it was seen. Periods are put in order before they become days: they are far fewer. */
function daysOf(found: readonly Found[]): Fragment {
  const files = found.flatMap(({ rows }, file) => (typeof rows === "number" ? [] : rows.map(() => file)));
  const rows = found.flatMap(({ rows }) => (typeof rows === "number" ? [] : rows));
  const whole = found.flatMap(({ rows }, file) => (typeof rows === "number" ? [file] : []));
  const isWanted =
    files.length === 0
      ? sql`TRUE`
      : sql`file_index IN (SELECT unnest(${`[${whole.join(",")}]`}::INTEGER[]))
        OR (file_index, file_row_number) IN (SELECT unnest(${`[${files.join(",")}]`}::INTEGER[]), unnest(${`[${rows.join(",")}]`}::INTEGER[]))`;
  const sections =
    found.length === 0
      ? sql`(SELECT *, 0 AS file_index, 0 AS file_row_number FROM ${publishedRows("enrollment_history", [])})`
      : rowsOf(found.map(({ path }) => path));
  const periods = publishedRows(
    "enrollment_periods",
    found.flatMap(({ periods }) => periods),
  );
  return sql`(
    WITH found AS (SELECT * REPLACE (sectionCode::INTEGER AS sectionCode), sectionCode AS code, file_index AS file, file_row_number AS row
      FROM ${sections} WHERE ${isWanted})
    SELECT *, first + unnest(range(last - first + 1))::INTEGER AS date FROM (
      SELECT found.*, p.first, p.last, ${constant(values)}
      FROM ${periods} p JOIN found ON p.year = found.year AND p.quarter = found.quarter AND p.sectionCode = found.code
      ORDER BY file, row, p.first))`;
}

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

async function* stream(batches: readonly Batch[], read: (batch: Batch) => Promise<Buffer[]>): AsyncGenerator<Buffer> {
  yield OPEN;
  for (const [i, batch] of batches.entries()) {
    if (i > 0) yield COMMA;
    yield* await read(batch);
  }
  yield CLOSE;
}

/**
 * The records of a batch. The join pushes the wanted codes down to the Parquet reader, which skips row groups. Lists are sorted by their days alone, because
 * sorting complete snapshots costs twice as much.
 */
async function readRecords(
  pool: Pool,
  { paths, periods, rows }: Batch,
  conditions: readonly Fragment[],
  codes: CodeForm,
): Promise<string[]> {
  const within = rows ? [sql`file_row_number BETWEEN ${rows[0]} AND ${rows[1]}`] : [];
  const [records = []] = await pool.columns(
    sql`WITH found AS MATERIALIZED (SELECT *, file_index AS file, file_row_number AS row FROM ${rowsOf(paths)} WHERE ${allOf([...within, ...conditions])}),
      days AS (
        SELECT year, quarter, sectionCode, p.first + unnest(range(p.last - p.first + 1))::INTEGER AS date, ${constant(values)}
        FROM ${publishedRows("enrollment_periods", periods)} p SEMI JOIN found USING (year, quarter, sectionCode)),
      seen AS (SELECT year, quarter, sectionCode, list(${snapshot}) AS snapshots FROM days GROUP BY year, quarter, sectionCode)
      SELECT ${RECORDS[codes]} FROM (
        SELECT found.*, list_select(snapshots, list_grade_up(list_transform(snapshots, lambda s: s.date))) AS snapshots
        FROM found JOIN seen USING (year, quarter, sectionCode))
      ORDER BY file, row`,
    { uncached: true, heavy: true },
  );
  return records as string[];
}

function findFiles({ folder, manifest }: Generation, { year, quarter }: Partial<Term>): Found[] {
  const periodsOf = (term: Term): string[] =>
    manifest.files
      .filter(({ table, partition }) => table === "enrollment_periods" && isOf(partition, term))
      .map(({ path }) => join(folder, path));
  return manifest.files
    .filter(({ table }) => table === "enrollment_history")
    .flatMap(({ partition, path, rows }) =>
      partition.year !== undefined && partition.quarter !== undefined && rows > 0
        ? [{ term: { year: partition.year, quarter: partition.quarter }, path: join(folder, path), rows }]
        : [],
    )
    .filter(({ term }) => (year ?? term.year) === term.year && (quarter ?? term.quarter) === term.quarter)
    .sort((a, b) => compareTerms(a.term, b.term))
    .map(({ term, path, rows }) => ({ path, rows, periods: periodsOf(term) }));
}

const isOf = (partition: Partition, term: Term): boolean =>
  partition.year === term.year && partition.quarter === term.quarter;

const rowsOf = (paths: readonly string[]): Fragment =>
  constant(`(SELECT *, file_index, ${HISTORY_KEYS.join(", ")} FROM ${readParquet(paths, "file_row_number = true")})`);

async function findRows(pool: Pool, files: readonly Found[], conditions: readonly Fragment[]): Promise<Found[]> {
  if (files.length === 0) return [];
  const [indexes = [], lists = []] = await pool.columns(
    sql`SELECT file_index::INTEGER AS i, list_sort(list(file_row_number::INTEGER)) FROM ${rowsOf(files.map(({ path }) => path))}
      WHERE ${allOf(conditions)} GROUP BY i ORDER BY i`,
    { heavy: true },
  );
  return (indexes as number[]).map((index, i) => ({ ...(files[index] as Found), rows: lists[i] as number[] }));
}
