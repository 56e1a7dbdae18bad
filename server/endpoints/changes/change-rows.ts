/**
 * Reads changes from the published files, in batches of a few thousand rows, so that a slow client does not occupy a
 * connection.
 */
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { allOf, anyOf, constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { OVER_FILES, toRows } from "../../duckdb/query.ts";
import { Change } from "../../response/shapes/changes.ts";
import type { Generation } from "../../snapshot/generation.ts";
import { jsonObject } from "../../snapshot/loading/loading.ts";
import type { ChangeFile, ChangeRange } from "./change-range.ts";
import { FILTERED_COLUMNS, type FilteredChange } from "./change-filters.ts";
import { CHANGE_ORDER, CURSOR, isoTime, toEventId } from "./cursor.ts";
import { partsOf, type Piece, piecesOf } from "./change-pieces.ts";

/** About 1 MB of JSON. */
const ROWS_PER_BATCH = 4096;

const SERVED = Object.keys(Change.omit({ at: true, since: true }).shape);
/** The JSON of a row. */
const CHANGE_JSON = constant(`${jsonObject([["at", isoTime("at")], ["since", isoTime("since")], ...SERVED])}::VARCHAR`);

/** The same columns for SQL and for files in other formats. */
export const SERVED_COLUMNS = constant(`${isoTime("at")} AS "at", ${isoTime("since")} AS since, ${SERVED.join(", ")}`);

/** The text of a server-sent event (WHATWG HTML, section 9.2): JSON has no line breaks. */
const EVENT = sql`'id: ' || ${CURSOR} || '@' || snapshot || chr(10) || 'data: ' || ${CHANGE_JSON} || chr(10) || chr(10)`;

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

const order = constant(CHANGE_ORDER);
export const numbered = (files: readonly ChangeFile[]): Fragment =>
  constant(
    readParquet(
      files.map(({ path }) => path),
      "file_row_number = true",
    ),
  );

/** The positions of a piece's rows in its files, in the order of changes. */
export interface FoundChanges extends Piece {
  readonly file: Int32Array;
  readonly row: Int32Array;
  /** The minute of each change, counted from 1970 on. */
  readonly minute: Int32Array;
}

export async function findChanges(pool: Pool, piece: Piece): Promise<FoundChanges> {
  const none = new Int32Array();
  const [file = none, row = none, minute = none] = await pool.integers(
    sql`SELECT file_index::INTEGER, file_row_number::INTEGER, floor(epoch("at") / 60)::INTEGER
      FROM ${numbered(piece.files)} ${where(piece.conditions)} ORDER BY ${order}`,
    OVER_FILES,
  );
  return { ...piece, file, row, minute };
}

type Select = (rows: Fragment) => Fragment;
const columnsOf =
  (columns: Fragment): Select =>
  (rows) =>
    sql`SELECT ${columns} ${rows}`;
/** Selects a text per batch: a text per row would be four thousand times as many values to collect. */
const asJson: Select = (rows) => sql`SELECT string_agg(change, ',') FROM (SELECT ${CHANGE_JSON} AS change ${rows})`;

/** Selects from the found rows in [from, to), batch by batch. */
async function* readFound(
  pool: Pool,
  changes: FoundChanges,
  select: Select,
  from: number,
  to: number,
): AsyncGenerator<unknown[][]> {
  for (let offset = from; offset < to; offset += ROWS_PER_BATCH) {
    const batchRows = rowsOf(changes, offset, Math.min(offset + ROWS_PER_BATCH, to));
    const rows = sql`FROM ${numbered(changes.files)} WHERE ${allOf(changes.conditions)} AND (${batchRows}) ORDER BY ${order}`;
    yield await pool.columns(select(rows), OVER_FILES);
  }
}

/** Selects columns of all changes of a range, batch by batch. */
export async function* readRange(pool: Pool, range: ChangeRange, columns: Fragment): AsyncGenerator<unknown[][]> {
  for (const piece of piecesOf(range)) {
    const changes = await findChanges(pool, piece);
    yield* readFound(pool, changes, columnsOf(columns), 0, changes.row.length);
  }
}

/** Reads the found changes in [from, to) as events, batch by batch. */
export async function* readEvents(
  pool: Pool,
  changes: FoundChanges,
  from: number,
  to: number,
): AsyncGenerator<readonly string[]> {
  for await (const [events = []] of readFound(pool, changes, columnsOf(EVENT), from, to)) yield events as string[];
}

/**
 * Reads the changes in [from, to) as JSON, comma-separated within a batch. A piece is searched only when it is reached.
 */
export async function* readChanges(
  pool: Pool,
  pieces: readonly Piece[],
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (const { piece, ...bounds } of partsOf(pieces, from, to))
    for await (const [texts = []] of readFound(pool, await findChanges(pool, piece), asJson, bounds.from, bounds.to))
      yield texts[0] as string;
}

/** Reads the same batches, newest first; the changes within a batch stay in their order. */
export async function* readNewestFirst(
  pool: Pool,
  pieces: readonly Piece[],
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (const { piece, ...bounds } of partsOf(pieces, from, to).toReversed()) {
    const changes = await findChanges(pool, piece);
    for (let end = bounds.to; end > bounds.from; end -= ROWS_PER_BATCH) {
      const begin = Math.max(bounds.from, end - ROWS_PER_BATCH);
      for await (const [texts = []] of readFound(pool, changes, asJson, begin, end)) yield texts[0] as string;
    }
  }
}

const KEY = constant(`row(${CHANGE_ORDER})`);

/**
 * Counts how many of the newest changes include the whole newest publication: that of `current`, or else of the newest
 * change.
 */
export async function countNewest(pool: Pool, pieces: readonly Piece[], current: string): Promise<number> {
  const last = pieces.at(-1);
  if (!last) return 0;
  const inRange = ({ files, conditions }: Piece, more: readonly Fragment[] = []) =>
    sql`FROM ${numbered(files)} ${where([...conditions, ...more])}`;
  const [newest = []] = await pool.columns(
    sql`SELECT snapshot ${inRange(last)} ORDER BY ${KEY} DESC LIMIT 1`,
    OVER_FILES,
  );
  const isPublished = sql`list_contains(${[current, ...(newest as string[])]}, snapshot)`;
  let [count, passed] = [0, 0];
  // A run publishes all of its changes at once: they are in a single piece, or in neighbouring ones.
  for (const piece of pieces.toReversed()) {
    const first = sql`(SELECT min(${KEY}) ${inRange(piece, [isPublished])})`;
    const [[rows] = []] = await pool.columns(
      sql`SELECT count(*)::INTEGER ${inRange(piece, [sql`${KEY} >= ${first}`])}`,
      OVER_FILES,
    );
    if (rows === 0) break;
    count = passed + (rows as number);
    passed += piece.rows;
  }
  return count;
}

/** Selects the rows of a batch. Files are in the order of changes too, so these are a contiguous range of each file. */
function rowsOf({ file, row, minute }: FoundChanges, from: number, to: number): Fragment {
  const ranges = new Map<number, { first: number; last: number }>();
  for (let i = from; i < to; i++) {
    const [index, last] = [file[i] as number, row[i] as number];
    const range = ranges.get(index);
    if (range) range.last = last;
    else ranges.set(index, { first: last, last });
  }
  const rows = [...ranges].map(
    ([index, { first, last }]) => sql`file_index = ${index} AND file_row_number BETWEEN ${first} AND ${last}`,
  );
  // The condition on the time alone lets the statement skip row groups.
  const time = (minutes: number) => `TIMESTAMPTZ '${new Date(60_000 * minutes).toISOString()}'`;
  const [begin, end] = [time(minute[from] as number), time((minute[to - 1] as number) + 1)];
  return allOf([constant(`"at" >= ${begin} AND "at" < ${end}`), anyOf(rows)]);
}
