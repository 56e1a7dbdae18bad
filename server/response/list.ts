import { type Fragment, sql } from "../duckdb/sql.ts";
import { rowsInRange, rowsWithIds } from "../snapshot/loading/row-ids.ts";
import type { Endpoint, EndpointContext, EndpointResult, List } from "./endpoint.ts";
import type { Params, ValuesOf } from "./params.ts";
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

/** The response of an endpoint, from its `answer` or else from the rows of its `origin`. */
export async function answerOf(
  endpoint: Endpoint,
  values: ValuesOf<Params>,
  context: EndpointContext,
): Promise<EndpointResult | List> {
  if (endpoint.answer) return endpoint.answer(values, context);
  const origin = await endpoint.origin(values, context, undefined);
  if ("address" in origin) throw new TypeError(`${endpoint.path} has to answer itself: its rows are not published`);
  const rows = originRows(context.snapshot.generation, origin);
  // Files have other names in every generation.
  const options = { uncached: true };
  const [texts = []] = await context.pool.columns(sql`SELECT to_json(r)::VARCHAR FROM ${rows} AS r`, options);
  return listTexts(texts as string[]);
}
