/** Answers that are arrays, from what stands in memory. */
import type { Fragment } from "../duckdb/sql.ts";
import { rowsInRange, rowsWithIds } from "../snapshot/row-ids.ts";
import type { List } from "./endpoint.ts";
import { type JsonRows, rowCount, toArray, toRange } from "../snapshot/json-rows.ts";

/** The rows with the given ids; `published` are the columns that they have in other formats, with their `row_id`. */
export const listRows = (jsonRows: JsonRows, rowIds: Int32Array, published?: Fragment): List => ({
  total: rowIds.length,
  part: (from, to) => toArray(jsonRows, rowIds.subarray(from, to)),
  ...(published && { relation: (from, to) => rowsWithIds(published, rowIds.subarray(from, to)) }),
});

/** All rows, without a query. */
export const listAll = (jsonRows: JsonRows, published?: Fragment): List => ({
  total: rowCount(jsonRows),
  part: (from, to) => toRange(jsonRows, from, to),
  ...(published && { relation: (from, to) => rowsInRange(published, from, to) }),
});

/** JSON texts. */
export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});
