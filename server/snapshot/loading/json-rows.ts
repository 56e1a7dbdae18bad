/** Rows that are serialized to JSON once, at load time: a response only selects and joins them. */
import { type Fragment, sql } from "../../duckdb/sql.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { LOADING } from "../../duckdb/query.ts";
import { createYielder, type Pace } from "../event-loop-yielder.ts";

export interface JsonRows {
  /** A JSON array of all rows, so that a response with all of them needs no copy. */
  readonly bytes: Buffer;
  /** The offsets; row `i` is `bytes[offsets[i] .. offsets[i + 1] - 1)`. */
  readonly offsets: Uint32Array;
}

const COMMA = Buffer.from(",");
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/**
 * Serializes `rows`, which `row_id` numbers from 0 without gaps. `text` is an expression over their columns that is
 * never NULL. Sorts only when rows arrive out of order, because sorting needs memory for all texts once more.
 */
export async function readJsonRows(
  pool: Pool,
  text: Fragment,
  rows: Fragment,
  createPace: () => Pace = createYielder,
): Promise<JsonRows> {
  const count = sql`(SELECT count(*) FROM ${rows})::INTEGER`;
  const read = (order: Fragment) =>
    readTexts(pool, sql`SELECT row_id, (${text})::VARCHAR, ${count} FROM ${rows} ${order}`, createPace());
  const jsonRows = (await read(sql``)) ?? (await read(sql`ORDER BY row_id`));
  if (!jsonRows) throw new Error("rows are not numbered from 0 on without a gap");
  return jsonRows;
}

/** The factor of over-allocation, which is cheap: pages that are never written take no memory. */
const OVER_ALLOCATION = 1.5;

/** Reads the texts; undefined when rows do not arrive in the order of their row ids. */
async function readTexts(pool: Pool, statement: Fragment, pace: Pace): Promise<JsonRows | undefined> {
  let offsets = Uint32Array.of(OPEN.length);
  let bytes = OPEN;
  let [size, read] = [OPEN.length, 0];
  for await (const [rowIds = [], texts = [], [count] = []] of pool.chunks(statement, LOADING)) {
    if (offsets.length === 1) offsets = new Uint32Array((count as number) + 1).fill(size, 0, 1);
    const joined = `${(texts as string[]).join(",")},`;
    // UTF-8 needs at most three bytes per UTF-16 code unit.
    if (bytes.length < size + 3 * joined.length) {
      const whole = ((size + joined.length) / (read + texts.length)) * (count as number);
      const larger = Buffer.allocUnsafeSlow(Math.ceil(OVER_ALLOCATION * whole) + 3 * joined.length);
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
    await pace();
  }
  if (read === 0) return toJsonRows([]);
  CLOSE.copy(bytes, size - 1);
  return { bytes: bytes.subarray(0, size), offsets };
}

export function toJsonRows(texts: readonly string[]): JsonRows {
  let size = OPEN.length;
  const offsets = Uint32Array.from([size, ...texts.map((text) => (size += Buffer.byteLength(text) + 1))]);
  return { bytes: Buffer.from(`[${texts.join(",")}]`), offsets };
}

/**
 * Appends a field to the rows at these ascending row ids, each an object; all other rows become empty.
 * @param values JSON for each row id
 */
export async function appendField(
  { bytes, offsets }: JsonRows,
  rowIds: ArrayLike<number>,
  field: string,
  values: readonly string[],
): Promise<JsonRows> {
  const yieldToEventLoop = createYielder();
  const next = new Uint32Array(offsets.length);
  const chunks: Buffer[] = [OPEN];
  let [size, nextRow] = [OPEN.length, 0];
  for (const [i, value] of values.entries()) {
    const row = rowIds[i] as number;
    next.fill(size, nextRow, row + 1);
    const added = Buffer.from(`,"${field}":${value}},`);
    chunks.push(bytes.subarray(offsets[row], (offsets[row + 1] as number) - 2), added);
    size += (offsets[row + 1] as number) - 2 - (offsets[row] as number) + added.length;
    nextRow = row + 1;
    await yieldToEventLoop();
  }
  next.fill(size, nextRow);
  return { bytes: Buffer.concat(chunks, size), offsets: next };
}

export const rowCount = (jsonRows: JsonRows): number => jsonRows.offsets.length - 1;

/** Returns the bytes of the rows in [from, to), separated by commas, without a trailing one. */
export function slice(jsonRows: JsonRows, from: number, to: number): Buffer {
  return jsonRows.bytes.subarray(jsonRows.offsets[from], (jsonRows.offsets[to] ?? 1) - 1);
}

/** Returns a JSON array of the rows at the given row ids, in the given order; consecutive rows are a single chunk. */
export function toArray(jsonRows: JsonRows, rowIds: ArrayLike<number>): Buffer[] {
  const chunks: Buffer[] = [OPEN];
  for (let i = 0; i < rowIds.length;) {
    const from = rowIds[i] as number;
    let to = from + 1;
    for (i++; rowIds[i] === to; i++) to++;
    if (chunks.length > 1) chunks.push(COMMA);
    chunks.push(slice(jsonRows, from, to));
  }
  chunks.push(CLOSE);
  return chunks;
}

/** Returns a JSON array of the rows in [from, to), without a copy. */
export function toRange(jsonRows: JsonRows, from: number, to: number): Buffer[] {
  if (from === 0 && to === rowCount(jsonRows)) return [jsonRows.bytes];
  return from < to ? [OPEN, slice(jsonRows, from, to), CLOSE] : [OPEN, CLOSE];
}
