/** Enrollment histories of a term that is in memory. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { slice } from "../../snapshot/loading/json-rows.ts";
import type { LoadedHistory } from "../../snapshot/tables/history-term.ts";
import { SERVED_AS } from "./history-records.ts";

const DAY_MS = 86_400_000;
const columns = constant(SNAPSHOT_VALUES.map((value) => `${value}::INTEGER`).join(", "));

const days = new Map<number, string>();
/** `"2024-09-26"`. */
function dayText(number: number): string {
  let text = days.get(number);
  if (text === undefined) days.set(number, (text = `"${new Date(number * DAY_MS).toISOString().slice(0, 10)}"`));
  return text;
}

/** A course's sections are neighbours. */
function isIn(rowIds: Int32Array): Fragment {
  const [first = 0, last = -1] = [rowIds[0], rowIds.at(-1)];
  return last - first === rowIds.length - 1
    ? sql`row_id BETWEEN ${first} AND ${last}`
    : sql`row_id IN (SELECT unnest(${`[${rowIds.join(",")}]`}::INTEGER[]))`;
}

/** The JSON array of the records at ascending row ids. */
export async function readLoadedHistory(
  pool: Pool,
  { sections, periods, texts }: LoadedHistory,
  rowIds: Int32Array,
): Promise<Buffer[]> {
  const [rows, first, last, ...values] = (await pool.integers(
    sql`SELECT row_id, first, last, ${columns} FROM ${periods} WHERE ${isIn(rowIds)} ORDER BY row_id, first`,
  )) as [Int32Array, Int32Array, Int32Array, ...Int32Array[]];
  const chunks: Buffer[] = [Buffer.from("[")];
  let at = 0;
  for (const [i, rowId] of rowIds.entries()) {
    const dates: string[] = [];
    const histories = values.map((): string[] => []);
    for (; rows[at] === rowId; at++) {
      for (let day = first[at] as number; day <= (last[at] as number); day++) {
        dates.push(dayText(day));
        for (const [column, numbers] of values.entries())
          histories[column]?.push(texts[numbers[at] as number] as string);
      }
    }
    const lists = SNAPSHOT_VALUES.map((value, column) => `"${SERVED_AS[value]}":[${histories[column]?.join(",")}]`);
    chunks.push(
      Buffer.from(i > 0 ? "," : ""),
      slice(sections, rowId, rowId + 1),
      Buffer.from(`,"dates":[${dates.join(",")}],${lists.join(",")}}`),
    );
  }
  return [...chunks, Buffer.from("]")];
}
