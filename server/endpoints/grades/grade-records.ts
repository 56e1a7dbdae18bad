import { GRADE_COUNTS } from "../../../pipeline/contract/grade.ts";
import type { List } from "../../response/endpoint.ts";
import { createYielder } from "../../snapshot/event-loop-yielder.ts";

/** `,"gradeACount":9,…,"averageGPA":3.1` of row `row`; `sums` are the columns of GRADE_SUMS, null where no section matches. */
function toFields(sums: readonly ArrayLike<number | null>[], row: number): string {
  const at = (column: number) => sums[column]?.[row] ?? 0;
  const [hundredths, sections] = [at(GRADE_COUNTS.length), at(GRADE_COUNTS.length + 1)];
  // Hundredths are integers: this division is the only rounding.
  const mean = sections === 0 ? 0 : hundredths / (100 * sections);
  const counts = GRADE_COUNTS.map((name, i) => `"${name}":${at(i)}`).join(",");
  return `${counts},"averageGPA":${Number.isInteger(mean) ? mean.toFixed(1) : mean}`;
}

export const toDistribution = (sums: readonly ArrayLike<number | null>[]): string => `{${toFields(sums, 0)}}`;

/** One record per group, in the order of dictionary numbers; `prefixes[number]` is the JSON object before its sums, without the closing brace. */
export function listGroups([groups = [], ...sums]: readonly ArrayLike<number>[], prefixes: readonly string[]): List {
  const order = Int32Array.from(groups, (_, row) => row).sort((a, b) => (groups[a] as number) - (groups[b] as number));
  const toRecord = (row: number) => `${prefixes[groups[row] as number]},${toFields(sums, row)}}`;
  return {
    total: order.length,
    part: (from, to) => toArray(order.subarray(from, to), toRecord),
  };
}

const RECORDS_PER_CHUNK = 1024;

/** Builds a JSON array without blocking the event loop. */
async function toArray(rows: Int32Array, toRecord: (row: number) => string): Promise<Buffer[]> {
  const yieldToEventLoop = createYielder();
  const chunks = [Buffer.from("[")];
  for (let from = 0; from < rows.length; from += RECORDS_PER_CHUNK) {
    const records = Array.from(rows.subarray(from, from + RECORDS_PER_CHUNK), toRecord);
    chunks.push(Buffer.from(`${from > 0 ? "," : ""}${records.join(",")}`));
    await yieldToEventLoop();
  }
  return [...chunks, Buffer.from("]")];
}
