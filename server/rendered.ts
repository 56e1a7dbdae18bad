/** Rows whose JSON text was written once, when they were loaded: an answer only selects and joins them. */
import type { DuckDBBlobValue, DuckDBListValue } from "@duckdb/node-api";
import { constant, type Fragment, sql } from "./bind.ts";
import { LOADING, type Pool } from "./pool.ts";
import { createTurns } from "./turns.ts";

/** The texts of all rows end to end; row `i` is `bytes[offsets[i] .. offsets[i + 1])`. */
export interface Rendered {
  readonly bytes: Buffer;
  readonly offsets: Uint32Array;
}

const COMMA = Buffer.from(",");
const COMMA_BYTE = 0x2c;
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/** So many rows' texts come as one piece: they are joined where they are made, and copied once. */
const ROWS_TOGETHER = 256;

/**
 * Reads the text of every row of `rows`, which are numbered by `place` from 0 on without a gap; each is followed by a comma, so that neighbours are
 * copied in one piece. `text` is an expression over their columns that is never NULL.
 */
export async function readRendered(pool: Pool, text: Fragment, rows: Fragment): Promise<Rendered> {
  const nextTurn = createTurns();
  const parts: Uint8Array[] = [];
  const offsets: number[] = [0];
  let size = 0;
  const together = sql`
    SELECT list(strlen(text)::INTEGER ORDER BY place), encode(string_agg(text, ',' ORDER BY place))
    FROM (SELECT place, (${text})::VARCHAR AS text FROM ${rows}) GROUP BY place // ${constant(String(ROWS_TOGETHER))} ORDER BY min(place)`;
  for await (const [lengths = [], texts = []] of pool.chunks(together, { ...LOADING, rows: 4 })) {
    for (const [i, { items }] of (lengths as DuckDBListValue[]).entries()) {
      for (const length of items as number[]) offsets.push((size += length + 1));
      parts.push((texts[i] as DuckDBBlobValue).bytes);
    }
    await nextTurn();
  }
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    bytes[at++] = COMMA_BYTE;
    await nextTurn();
  }
  return { bytes, offsets: Uint32Array.from(offsets) };
}

/** The same from texts in hand. */
export function toRendered(texts: readonly string[]): Rendered {
  let size = 0;
  const offsets = Uint32Array.from([0, ...texts.map((text) => (size += Buffer.byteLength(text) + 1))]);
  return { bytes: Buffer.from(`${texts.join(",")},`), offsets };
}

export const rowCount = (rendered: Rendered): number => rendered.offsets.length - 1;

/** The bytes of rows `from` to `to` (not included), separated by commas, without the last one. */
export function slice(rendered: Rendered, from: number, to: number): Buffer {
  return rendered.bytes.subarray(rendered.offsets[from], (rendered.offsets[to] ?? 1) - 1);
}

/** A JSON array of the rows at the given places, in the given order; ascending neighbours are one piece. */
export function toArray(rendered: Rendered, places: ArrayLike<number>): Buffer[] {
  const pieces: Buffer[] = [OPEN];
  for (let i = 0; i < places.length;) {
    const from = places[i] as number;
    let to = from + 1;
    for (i++; places[i] === to; i++) to++;
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(slice(rendered, from, to));
  }
  pieces.push(CLOSE);
  return pieces;
}

/** A JSON array of all rows, without a query. */
export function toWholeArray(rendered: Rendered): Buffer[] {
  return rowCount(rendered) === 0 ? [OPEN, CLOSE] : [OPEN, slice(rendered, 0, rowCount(rendered)), CLOSE];
}
