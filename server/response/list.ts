import type { List } from "./endpoint.ts";
import { type JsonRows, rowCount, toArray, toRange } from "../snapshot/loading/json-rows.ts";

export const listRows = (jsonRows: JsonRows, rowIds: Int32Array): List => ({
  total: rowIds.length,
  part: (from, to) => toArray(jsonRows, rowIds.subarray(from, to)),
});

export const listAll = (jsonRows: JsonRows): List => ({
  total: rowCount(jsonRows),
  loaded: jsonRows.bytes,
  part: (from, to) => toRange(jsonRows, from, to),
});

export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});
