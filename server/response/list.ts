import { type Fragment, sql } from "../duckdb/sql.ts";
import { rowsInRange, rowsWithIds } from "../snapshot/loading/row-ids.ts";
import type { EndpointContext, List, PublishedOrigin } from "./endpoint.ts";
import { originRows } from "./origin.ts";
import { type JsonRows, rowCount, toArray, toRange } from "../snapshot/loading/json-rows.ts";

/** `published` is the relation of the table with `row_id`, from which other formats are read. */
export const listRows = (jsonRows: JsonRows, rowIds: Int32Array, published?: Fragment): List => ({
  total: rowIds.length,
  part: (from, to) => toArray(jsonRows, rowIds.subarray(from, to)),
  ...(published && { relation: (from, to) => rowsWithIds(published, rowIds.subarray(from, to)) }),
});

export const listAll = (jsonRows: JsonRows, published?: Fragment): List => ({
  total: rowCount(jsonRows),
  loaded: jsonRows.bytes,
  part: (from, to) => toRange(jsonRows, from, to),
  ...(published && { relation: (from, to) => rowsInRange(published, from, to) }),
});

export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});

/** The rows that a statement selects from the published tables of a snapshot. */
export async function listPublished(origin: PublishedOrigin, { pool, snapshot }: EndpointContext): Promise<List> {
  const rows = originRows(snapshot.generation, origin);
  const [texts = []] = await pool.columns(sql`SELECT to_json(r)::VARCHAR FROM ${rows} AS r`, {
    // Files have other names in every generation.
    uncached: true,
  });
  return listTexts(texts as string[]);
}
