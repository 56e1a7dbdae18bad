import type { Fragment } from "../duckdb/sql.ts";
import { rowsInRange, rowsWithIds } from "../snapshot/loading/row-ids.ts";
import type { List } from "./endpoint.ts";
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
