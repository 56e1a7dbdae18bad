/** Rows whose JSON text was written once, when they were loaded: an answer only selects and joins them. */
import { type Fragment, sql } from "../duckdb/sql.ts";
import { LOADING, type Pool } from "../duckdb/pool.ts";
import { createYielder } from "./event-loop-yielder.ts";

/** The texts of all rows end to end; row `i` is `bytes[offsets[i] .. offsets[i + 1])`. */
export interface JsonRows {
  readonly bytes: Buffer;
  readonly offsets: Uint32Array;
}

const COMMA = Buffer.from(",");
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/**
 * Reads the text of every row of `rows`, which are numbered by `row_id` from 0 on without a gap; each is followed by a comma, so that neighbours are
 * copied in one piece. `text` is an expression over their columns that is never NULL. Rows nearly always come in the order in which they were
 * written; only when they do not are they put in order, for that takes all texts into memory once more.
 */
export async function readJsonRows(pool: Pool, text: Fragment, rows: Fragment): Promise<JsonRows> {
  const count = sql`(SELECT count(*) FROM ${rows})::INTEGER`;
  const read = (order: Fragment) =>
    readTexts(pool, sql`SELECT row_id, (${text})::VARCHAR, ${count} FROM ${rows} ${order}`);
  const jsonRows = (await read(sql``)) ?? (await read(sql`ORDER BY row_id`));
  if (!jsonRows) throw new Error("rows are not numbered from 0 on without a gap");
  return jsonRows;
}

/** What follows the texts seen so far is likely to be of their size; memory that is never written to costs nothing. */
const ROOM_TO_SPARE = 1.5;

/** Writes texts end to end as they come; undefined when they come in another order than that of their rowIds. */
async function readTexts(pool: Pool, statement: Fragment): Promise<JsonRows | undefined> {
  const yieldToEventLoop = createYielder();
  let offsets = new Uint32Array(1);
  let bytes = Buffer.alloc(0);
  let [size, read] = [0, 0];
  for await (const [rowIds = [], texts = [], [count] = []] of pool.chunks(statement, LOADING)) {
    if (offsets.length === 1) offsets = new Uint32Array((count as number) + 1);
    const joined = `${(texts as string[]).join(",")},`;
    // No character takes more than three bytes for each unit of its text.
    if (bytes.length < size + 3 * joined.length) {
      const whole = ((size + joined.length) / (read + texts.length)) * (count as number);
      const larger = Buffer.allocUnsafeSlow(Math.ceil(ROOM_TO_SPARE * whole) + 3 * joined.length);
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    const end = size + bytes.write(joined, size);
    for (const [i, text] of (texts as string[]).entries()) {
      if (rowIds[i] !== read) return undefined;
      size += Buffer.byteLength(text) + 1;
      offsets[++read] = size;
    }
    if (size !== end) throw new Error("a text changed while it was written");
    await yieldToEventLoop();
  }
  return { bytes: bytes.subarray(0, size), offsets };
}

/** The same from texts in hand. */
export function toJsonRows(texts: readonly string[]): JsonRows {
  let size = 0;
  const offsets = Uint32Array.from([0, ...texts.map((text) => (size += Buffer.byteLength(text) + 1))]);
  return { bytes: Buffer.from(`${texts.join(",")},`), offsets };
}

export const rowCount = (jsonRows: JsonRows): number => jsonRows.offsets.length - 1;

/** The bytes of rows `from` to `to` (not included), separated by commas, without the last one. */
export function slice(jsonRows: JsonRows, from: number, to: number): Buffer {
  return jsonRows.bytes.subarray(jsonRows.offsets[from], (jsonRows.offsets[to] ?? 1) - 1);
}

/** A JSON array of the rows at the given rowIds, in the given order; ascending neighbours are one piece. */
export function toArray(jsonRows: JsonRows, rowIds: ArrayLike<number>): Buffer[] {
  const pieces: Buffer[] = [OPEN];
  for (let i = 0; i < rowIds.length;) {
    const from = rowIds[i] as number;
    let to = from + 1;
    for (i++; rowIds[i] === to; i++) to++;
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(slice(jsonRows, from, to));
  }
  pieces.push(CLOSE);
  return pieces;
}

/** A JSON array of rows `from` to `to` (not included). */
export const toRange = (jsonRows: JsonRows, from: number, to: number): Buffer[] =>
  from < to ? [OPEN, slice(jsonRows, from, to), CLOSE] : [OPEN, CLOSE];
