/**
 * Reads changes from the published files, month by month and in batches of a few thousand rows, each behind the cursor
 * of the last: a slow client does not occupy a connection.
 */
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES, toRows } from "../../duckdb/query.ts";
import { Change } from "../../response/shapes/changes.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import { inPage } from "../../response/paging.ts";
import { type ChangeFile, type CountedMonth, isAfter, type Month, partsOf } from "./change-range.ts";
import { FILTERED_COLUMNS, type FilteredChange } from "./change-filters.ts";
import { CHANGE_ORDER, CURSOR, isoTime, toEventId } from "./cursor.ts";

/** About 1 MB of JSON. */
const ROWS_PER_BATCH = 4096;

const SERVED = Object.keys(Change.omit({ at: true, since: true }).shape);
/** The JSON of a row. */
const CHANGE_JSON = constant(`${jsonObject([["at", isoTime("at")], ["since", isoTime("since")], ...SERVED])}::VARCHAR`);

/** The same columns for SQL and for files in other formats. */
export const SERVED_COLUMNS = constant(`${isoTime("at")} AS "at", ${isoTime("since")} AS since, ${SERVED.join(", ")}`);

/** The text of a server-sent event (WHATWG HTML, section 9.2): JSON has no line breaks. */
export const EVENT = sql`'id: ' || ${CURSOR} || '@' || snapshot || chr(10) || 'data: ' || ${CHANGE_JSON} || chr(10) || chr(10)`;

export const EVENT_AND_FILTERED = sql`${EVENT}, ${constant(Object.values(FILTERED_COLUMNS).join(", "))}`;

/** Returns the event that names a snapshot. With an id, clients that have all of its changes resume from it. */
export function snapshotEvent({ manifest: { createdAt, id } }: Generation, isComplete: boolean): Buffer {
  const position = isComplete ? `id: ${toEventId({ cursor: createdAt, snapshot: id })}\n` : "";
  return Buffer.from(`event: snapshot\n${position}data: ${JSON.stringify(id)}\n\n`);
}

/** A published change with the columns for filters and the bytes of its event. */
export type NewChange = FilteredChange & { readonly event: Buffer };

/** Converts the columns of `EVENT_AND_FILTERED` to changes. */
export const toNewChanges = (columns: readonly unknown[][]): NewChange[] =>
  toRows<FilteredChange & { event: string }>(["event", ...Object.keys(FILTERED_COLUMNS)], columns).map((row) => ({
    ...row,
    event: Buffer.from(row.event),
  }));

export const readFiles = (files: readonly ChangeFile[]): Fragment =>
  constant(readParquet(files.map(({ path }) => path)));

interface Bounds {
  /** The cursor of the change before the first. */
  readonly after?: string | undefined;
  readonly offset?: number;
  readonly limit: number;
}

/** Selects changes of a month, in order. */
export const selectChanges = (columns: Fragment, { files, conditions }: Month, bounds?: Bounds): Fragment =>
  sql`SELECT ${columns} FROM (FROM ${readFiles(files)}
    ${where([...conditions, ...(bounds?.after === undefined ? [] : [isAfter(bounds.after)])])}
    ORDER BY ${constant(CHANGE_ORDER)} ${bounds ? inPage({ offset: 0, ...bounds }) : sql``})`;

/**
 * Reads changes of a month as events with further columns, batch by batch: the first column is the cursor of each
 * change.
 */
export async function* readMonth(
  pool: Pool,
  month: Month,
  columns: Fragment,
  after?: string,
): AsyncGenerator<unknown[][]> {
  for (let cursor = after; ;) {
    const bounds = { after: cursor, limit: ROWS_PER_BATCH };
    const batch = await pool.columns(selectChanges(sql`${CURSOR}, ${columns}`, month, bounds), OVER_FILES);
    const cursors = (batch[0] ?? []) as string[];
    if (cursors.length > 0) yield batch;
    if (cursors.length < ROWS_PER_BATCH) return;
    cursor = cursors.at(-1);
  }
}

/** Aggregates a batch to a single text: a text per row would be four thousand times as many values to read. */
const AS_JSON = sql`string_agg(${CHANGE_JSON}, ','), max(${CURSOR})`;

/** Reads the changes in [from, to) as JSON, comma-separated within a batch. A month is read only when it is reached. */
export async function* readChanges(
  pool: Pool,
  months: readonly CountedMonth[],
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (const { month, offset, limit } of partsOf(months, from, to)) {
    let after: string | undefined;
    for (let done = 0; done < limit; done += ROWS_PER_BATCH) {
      const bounds = { after, offset: done === 0 ? offset : 0, limit: Math.min(ROWS_PER_BATCH, limit - done) };
      const [[text] = [], [cursor] = []] = await pool.columns(selectChanges(AS_JSON, month, bounds), OVER_FILES);
      after = cursor as string;
      yield text as string;
    }
  }
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

const KEY = constant(`row(${CHANGE_ORDER})`);

/**
 * Counts how many of the newest changes include the whole newest publication: that of `current`, or else of the newest
 * change.
 */
export async function countNewest(pool: Pool, months: readonly CountedMonth[], current: string): Promise<number> {
  const last = months.at(-1);
  if (!last) return 0;
  const inRange = ({ files, conditions }: Month, more: readonly Fragment[] = []) =>
    sql`FROM ${readFiles(files)} ${where([...conditions, ...more])}`;
  const [newest = []] = await pool.columns(
    sql`SELECT snapshot ${inRange(last)} ORDER BY ${KEY} DESC LIMIT 1`,
    OVER_FILES,
  );
  const isPublished = sql`list_contains(${[current, ...(newest as string[])]}, snapshot)`;
  let [count, passed] = [0, 0];
  // A run publishes all of its changes at once: they are in a single month, or in neighbouring ones.
  for (const month of months.toReversed()) {
    const first = sql`(SELECT min(${KEY}) ${inRange(month, [isPublished])})`;
    const [[rows] = []] = await pool.columns(
      sql`SELECT count(*)::INTEGER ${inRange(month, [sql`${KEY} >= ${first}`])}`,
      OVER_FILES,
    );
    if (rows === 0) break;
    count = passed + (rows as number);
    passed += month.rows;
  }
  return count;
}
