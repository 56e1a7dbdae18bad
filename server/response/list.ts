/** Answers that are arrays, from what stands in memory. */
import type { List } from "./endpoint.ts";
import { type Rendered, rowCount, toArray, toRange } from "../snapshot/json-rows.ts";

/** The rows at the given places. */
export const listRows = (rendered: Rendered, places: Int32Array): List => ({
  total: places.length,
  part: (from, to) => toArray(rendered, places.subarray(from, to)),
});

/** All rows, without a query. */
export const listAll = (rendered: Rendered): List => ({
  total: rowCount(rendered),
  part: (from, to) => toRange(rendered, from, to),
});

/** JSON texts. */
export const listTexts = (texts: readonly string[]): List => ({
  total: texts.length,
  part: (from, to) => [Buffer.from(`[${texts.slice(from, to).join(",")}]`)],
});
