/** Changes as they are served, and how they are read from the published files: some thousand rows at a time, so that a slow client holds no connection. */
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { allOf, anyOf, constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES, toRows } from "../../duckdb/query.ts";
import { Change } from "../../response/shapes/changes.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import type { ChangeRange } from "./change-range.ts";
import { FILTERED_COLUMNS, type FilteredChange } from "./change-filters.ts";
import { CHANGE_ORDER, CURSOR, isoTime, toEventId } from "./cursor.ts";

/** About 2 MB of JSON. */
const ROWS_PER_BATCH = 8192;

const SERVED = Object.keys(Change.omit({ at: true, since: true }).shape);
/** A row as it is served. */
export const CHANGE_JSON = constant(
  `${jsonObject([["at", isoTime("at")], ["since", isoTime("since")], ...SERVED])}::VARCHAR`,
);

/** The same columns for SQL and for files in other formats. */
export const SERVED_COLUMNS = constant(`${isoTime("at")} AS "at", ${isoTime("since")} AS since, ${SERVED.join(", ")}`);

/** A row as the text of a server-sent event (WHATWG HTML, section 9.2): JSON has no line breaks. */
export const EVENT = sql`'id: ' || ${CURSOR} || '@' || snapshot || chr(10) || 'data: ' || ${CHANGE_JSON} || chr(10) || chr(10)`;

export const EVENT_AND_FILTERED = sql`${EVENT}, ${constant(Object.values(FILTERED_COLUMNS).join(", "))}`;

/** An event without data: clients do not see it, but resume from it. */
export const positionEvent = ({ manifest: { createdAt, id } }: Generation): Buffer =>
  Buffer.from(`id: ${toEventId({ cursor: createdAt, snapshot: id })}\n\n`);

/** A published change, as the streams choose and send it. */
export type NewChange = FilteredChange & { readonly event: Buffer };

/** From the columns of `EVENT_AND_FILTERED`. */
export const toNewChanges = (columns: readonly unknown[][]): NewChange[] =>
  toRows<FilteredChange & { event: string }>(["event", ...Object.keys(FILTERED_COLUMNS)], columns).map((row) => ({
    ...row,
    event: Buffer.from(row.event),
  }));

const order = constant(CHANGE_ORDER);
const numbered = (files: readonly string[]): Fragment => constant(readParquet(files, "file_row_number = true"));

/** Where the rows of a range are, in their order. */
export interface FoundChanges extends ChangeRange {
  readonly file: Int32Array;
  readonly row: Int32Array;
}

export async function findChanges(pool: Pool, range: ChangeRange): Promise<FoundChanges> {
  const none = new Int32Array();
  if (range.files.length === 0) return { ...range, file: none, row: none };
  const [file = none, row = none] = await pool.integers(
    sql`SELECT file_index::INTEGER, file_row_number::INTEGER FROM ${numbered(range.files)}
      ${where(range.conditions)} ORDER BY ${order}`,
    OVER_FILES,
  );
  return { ...range, file, row };
}

/** The given columns of the found rows from `from` to `to` (not included), a batch at a time. */
export async function* readChanges(
  pool: Pool,
  found: FoundChanges,
  columns: Fragment,
  from = 0,
  to = found.row.length,
): AsyncGenerator<unknown[][]> {
  for (let at = from; at < to; at += ROWS_PER_BATCH)
    yield await pool.columns(
      sql`SELECT ${columns} FROM ${numbered(found.files)}
        WHERE ${allOf(found.conditions)} AND (${rowsOf(found, at, Math.min(at + ROWS_PER_BATCH, to))}) ORDER BY ${order}`,
      OVER_FILES,
    );
}

/** The same, newest first. */
export async function* readNewestFirst(
  pool: Pool,
  found: FoundChanges,
  columns: Fragment,
  from: number,
  to: number,
): AsyncGenerator<unknown[][]> {
  for (let end = to; end > from; end -= ROWS_PER_BATCH)
    for await (const batch of readChanges(pool, found, columns, Math.max(from, end - ROWS_PER_BATCH), end))
      yield batch.map((column) => column.toReversed());
}

/** How many of the newest found rows hold all rows of the newest publication: that of `current`, or else of the newest row. */
export async function countNewest(pool: Pool, found: FoundChanges, current: string): Promise<number> {
  const { file, row, files, conditions } = found;
  const total = row.length;
  if (total === 0) return 0;
  const [newest = []] = (await readChanges(pool, found, sql`snapshot`, total - 1).next()).value ?? [];
  const published = [current, ...(newest as string[])];
  const first = await pool.integers(
    sql`SELECT file_index::INTEGER, file_row_number::INTEGER FROM ${numbered(files)}
      ${where([...conditions, sql`list_contains(${published}, snapshot)`])} ORDER BY ${order} LIMIT 1`,
    OVER_FILES,
  );
  const [inFile, inRow] = first.map(([value]) => value);
  return total - row.findIndex((at, i) => at === inRow && file[i] === inFile);
}

/** Files are in this order too: the rows of a batch are a range of each file. */
function rowsOf({ file, row }: FoundChanges, from: number, to: number): Fragment {
  const ranges = new Map<number, { first: number; last: number }>();
  for (let i = from; i < to; i++) {
    const [index, last] = [file[i] as number, row[i] as number];
    const range = ranges.get(index);
    if (range) range.last = last;
    else ranges.set(index, { first: last, last });
  }
  return anyOf(
    [...ranges].map(
      ([index, { first, last }]) => sql`file_index = ${index} AND file_row_number BETWEEN ${first} AND ${last}`,
    ),
  );
}
