/** Array responses: rows of a loaded table, texts, or batches of elements that are read while they are sent. */
import type { Pool } from "../duckdb/pool.ts";
import type { QueryOptions } from "../duckdb/query.ts";
import { type Fragment, sql } from "../duckdb/sql.ts";
import { type JsonRows, rowCount, toArray, toRange } from "../snapshot/loading/json-rows.ts";
import type { Body, List } from "./endpoint.ts";

/** Selects row ids in ascending order, which is the order of responses. Sorting here is cheaper than ORDER BY. */
export async function selectRowIds(pool: Pool, statement: Fragment): Promise<Int32Array> {
  const [rowIds = new Int32Array()] = await pool.integers(statement);
  return rowIds.sort();
}

/** Reads the rows of a statement in order, each as JSON. */
export async function readTexts(pool: Pool, statement: Fragment, options?: QueryOptions): Promise<readonly string[]> {
  const [texts = []] = await pool.columns(sql`SELECT to_json(r)::VARCHAR FROM (${statement}) AS r`, options);
  return texts as string[];
}

export const listRows = (jsonRows: JsonRows, rowIds: Int32Array = new Int32Array()): List => ({
  total: rowIds.length,
  part: (from, to) => toArray(jsonRows, rowIds.subarray(from, to)),
});

export const listAll = (jsonRows: JsonRows): List => ({
  total: rowCount(jsonRows),
  part: (from, to) => toRange(jsonRows, from, to),
});

export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});

/** The most elements that are buffered, so that the response can be cached; longer lists are streamed. */
const MAX_BUFFERED = 2000;

/** Joins batches to a JSON array of `total` elements; each batch is comma-separated JSON. */
export async function jsonArray(total: number, batches: AsyncIterable<string>): Promise<Body> {
  const chunks = toChunks(batches);
  if (total > MAX_BUFFERED) return chunks;
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

async function* toChunks(batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let separator = "[";
  for await (const batch of batches) {
    yield Buffer.from(separator + batch);
    separator = ",";
  }
  yield Buffer.from(separator === "[" ? "[]" : "]");
}
