/** JSON of summed grades, from the numbers that a statement returns. */
import { GRADE_COUNTS } from "../../../pipeline/contract/grade.ts";
import type { List } from "../../response/endpoint.ts";
import { createYielder } from "../../snapshot/event-loop-yielder.ts";

/** `,"gradeACount":9,…,"averageGPA":3.1` of row `row`; `sums` are the columns of GRADE_SUMS. */
function toFields(sums: readonly ArrayLike<number>[], row: number): string {
  const at = (column: number) => sums[column]?.[row] as number;
  const [hundredths, sections] = [at(GRADE_COUNTS.length), at(GRADE_COUNTS.length + 1)];
  // Hundredths are whole numbers: this one division is the only rounding.
  const mean = sections === 0 ? 0 : hundredths / (100 * sections);
  const counts = GRADE_COUNTS.map((name, i) => `"${name}":${at(i)}`).join(",");
  return `${counts},"averageGPA":${Number.isInteger(mean) ? mean.toFixed(1) : mean}`;
}

/** All sums as one object. */
export const toDistribution = (sums: readonly ArrayLike<number>[]): string => `{${toFields(sums, 0)}}`;

/** One record a group, in the order of their numbers; `heads[number]` is the JSON object before its sums, without the closing brace. */
export function listGroups([groups = [], ...sums]: readonly ArrayLike<number>[], heads: readonly string[]): List {
  const order = Int32Array.from(groups, (_, row) => row).sort((a, b) => (groups[a] as number) - (groups[b] as number));
  const toRecord = (row: number) => `${heads[groups[row] as number]},${toFields(sums, row)}}`;
  return {
    total: order.length,
    part: (from, to) => toArray(order.subarray(from, to), toRecord),
  };
}

/** So many records are written between two looks at the clock. */
const RECORDS_AT_A_TIME = 1024;

/** A JSON array; other requests are answered meanwhile. */
async function toArray(rows: Int32Array, toRecord: (row: number) => string): Promise<Buffer[]> {
  const yieldToEventLoop = createYielder();
  const chunks = [Buffer.from("[")];
  for (let from = 0; from < rows.length; from += RECORDS_AT_A_TIME) {
    const records = Array.from(rows.subarray(from, from + RECORDS_AT_A_TIME), toRecord);
    chunks.push(Buffer.from(`${from > 0 ? "," : ""}${records.join(",")}`));
    await yieldToEventLoop();
  }
  return [...chunks, Buffer.from("]")];
}
