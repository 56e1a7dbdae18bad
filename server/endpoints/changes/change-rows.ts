/**
 * Counts and reads changes in the published files, month by month and in batches of a few thousand rows, each behind
 * the cursor of the last: a slow client does not occupy a connection.
 */
import { LRUCache } from "lru-cache";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { constant, type Fragment, sql, statementText, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES, toRows } from "../../duckdb/query.ts";
import { Change } from "../../response/shapes/shapes.ts";
import type { PublishedSnapshot } from "../../snapshot/generation.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import { inPage } from "../../response/paging.ts";
import { CHANGE_ORDER, type ChangeFile, CURSOR, isAfter, isoTime, type Month } from "./change-range.ts";
import { FILTERED_COLUMNS, type FilteredChange } from "./change-filters.ts";

/** About 1 MB of JSON. */
const ROWS_PER_BATCH = 4096;

const SERVED = Object.keys(Change.omit({ at: true, since: true }).shape);
const CHANGE_JSON = constant(`${jsonObject([["at", isoTime("at")], ["since", isoTime("since")], ...SERVED])}::VARCHAR`);

/** The same columns for SQL and for files in other formats. */
export const SERVED_COLUMNS = constant(`${isoTime("at")} AS "at", ${isoTime("since")} AS since, ${SERVED.join(", ")}`);

/** The text of a server-sent event (WHATWG HTML, section 9.2): JSON has no line breaks. */
const EVENT_TEXT = sql`'id: ' || ${CURSOR} || '@' || snapshot || chr(10) || 'data: ' || ${CHANGE_JSON} || chr(10) || chr(10)`;

export const EVENT = sql`${CURSOR}, ${EVENT_TEXT}`;
export const EVENT_AND_FILTERED = sql`${EVENT}, ${constant(Object.values(FILTERED_COLUMNS).join(", "))}`;

/** Returns the event that names a snapshot. With an id, clients that have all of its changes resume from it. */
export function snapshotEvent({ manifest: { createdAt, id } }: PublishedSnapshot, isComplete: boolean): Buffer {
  const position = isComplete ? `id: ${createdAt}@${id}\n` : "";
  return Buffer.from(`event: snapshot\n${position}data: ${JSON.stringify(id)}\n\n`);
}

/** A published change with the columns for filters and the bytes of its event. */
export type NewChange = FilteredChange & { readonly event: Buffer };

export const toNewChanges = (columns: readonly unknown[][]): NewChange[] =>
  toRows<FilteredChange & { event: string }>(["event", ...Object.keys(FILTERED_COLUMNS)], columns).map((row) => ({
    ...row,
    event: Buffer.from(row.event),
  }));

export interface CountedMonth extends Month {
  readonly rows: number;
}

/** A page of a month. */
interface Bounds {
  /** The cursor of the change before the first. */
  readonly after?: string | undefined;
  readonly offset?: number;
  readonly limit?: number;
}

const fromMonth = ({ files, conditions }: Month, more: readonly Fragment[] = []): Fragment =>
  sql`FROM ${constant(readParquet(files.map(({ path }) => path)))} ${where([...conditions, ...more])}`;

/** The counts by condition, then by the hash of the file, whose content never changes. */
const counts = new LRUCache<string, Map<string, number>>({ max: 1000, maxSize: 16e6 });
const BYTES_PER_COUNT = 100;

/** Returns the months with their numbers of matching rows, without empty ones. */
export async function countMonths(pool: Pool, months: readonly Month[]): Promise<CountedMonth[]> {
  const counted: CountedMonth[] = [];
  for (const month of months) {
    const condition = statementText(where(month.conditions));
    const byFile = counts.get(condition) ?? new Map<string, number>();
    const countOf = ({ rows, sha256 }: ChangeFile) => rows ?? byFile.get(sha256);
    const files = month.files.filter((file) => countOf(file) === undefined);
    if (files.length > 0) {
      const [indexes, rows] = await pool.integers(
        sql`SELECT file_index::INTEGER, count(*)::INTEGER ${fromMonth({ ...month, files })} GROUP BY ALL`,
        OVER_FILES,
      );
      for (const [i, { sha256 }] of files.entries()) byFile.set(sha256, rows?.[indexes?.indexOf(i) ?? -1] ?? 0);
      counts.set(condition, byFile, { size: 2 * condition.length + BYTES_PER_COUNT * byFile.size });
    }
    const rows = month.files.reduce((sum, file) => sum + (countOf(file) ?? 0), 0);
    if (rows > 0) counted.push({ ...month, rows });
  }
  return counted;
}

/** Returns the pages of months that are in [from, to) of all rows. */
export function pagesOf(months: readonly CountedMonth[], from: number, to: number) {
  let begin = 0;
  return months.flatMap((month) => {
    const offset = Math.max(from - begin, 0);
    const limit = Math.min(to - begin, month.rows) - offset;
    begin += month.rows;
    return limit > 0 ? [{ month, offset, limit }] : [];
  });
}

export const selectChanges = (columns: Fragment, month: Month, bounds?: Bounds): Fragment =>
  sql`SELECT ${columns} FROM (${fromMonth(month, bounds?.after === undefined ? [] : [isAfter(bounds.after)])}
    ORDER BY ${constant(CHANGE_ORDER)} ${bounds ? inPage({ limit: bounds.limit, offset: bounds.offset ?? 0 }) : sql``})`;

/**
 * Reads changes of a month batch by batch. The first column, the cursor, is that of each change, or that of the last
 * change when `columns` are aggregates, which need a limit.
 */
export async function* readMonth(
  pool: Pool,
  month: Month,
  columns: Fragment,
  { after, offset = 0, limit = Infinity }: Bounds = {},
): AsyncGenerator<unknown[][]> {
  let cursor = after;
  for (let done = 0; done < limit; done += ROWS_PER_BATCH) {
    const bounds = {
      after: cursor,
      offset: done === 0 ? offset : 0,
      limit: Math.min(ROWS_PER_BATCH, limit - done),
    };
    const batch = await pool.columns(selectChanges(columns, month, bounds), OVER_FILES);
    const [cursors = []] = batch as string[][];
    if (cursors.length > 0) yield batch;
    if (limit === Infinity && cursors.length < ROWS_PER_BATCH) return;
    cursor = cursors.at(-1);
  }
}

/** Aggregates a batch to a single text: a text per row would be four thousand times as many values to read. */
const AS_JSON = sql`max(${CURSOR}), string_agg(${CHANGE_JSON}, ',')`;

/** Reads the changes in [from, to) as JSON, comma-separated within a batch. A month is read only when it is reached. */
export async function* readChanges(
  pool: Pool,
  months: readonly CountedMonth[],
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (const { month, ...bounds } of pagesOf(months, from, to))
    for await (const [, [text] = []] of readMonth(pool, month, AS_JSON, bounds)) yield text as string;
}

/** Reads the same changes, the newest batch first; the changes within a batch stay in their order. */
export async function* readNewestFirst(
  pool: Pool,
  months: readonly CountedMonth[],
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (let end = to; end > from; end -= ROWS_PER_BATCH) {
    const batches: string[] = [];
    for await (const text of readChanges(pool, months, Math.max(from, end - ROWS_PER_BATCH), end)) batches.push(text);
    yield batches.join(",");
  }
}

/**
 * Counts how many of the newest changes include the whole newest publication: that of `current`, or else of the newest
 * change. A run publishes all of its changes at once: they are in a single month, or in neighbouring ones.
 */
export async function countNewest(pool: Pool, months: readonly CountedMonth[], current: string): Promise<number> {
  const last = months.slice(-2);
  if (last.length === 0) return 0;
  const month = {
    files: last.flatMap(({ files }) => files),
    conditions: [...new Set(last.flatMap(({ conditions }) => conditions))],
  };
  const [[rows] = []] = await pool.columns(
    sql`WITH newest AS MATERIALIZED (SELECT snapshot, row(${constant(CHANGE_ORDER)}) AS key ${fromMonth(month)})
      SELECT count(*)::INTEGER FROM newest WHERE key >= (SELECT min(key) FROM newest
        WHERE snapshot IN (${current}, (SELECT max_by(snapshot, key) FROM newest)))`,
    OVER_FILES,
  );
  return rows as number;
}
