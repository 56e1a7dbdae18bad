/** The records of enrollment histories: the JSON of a section, and its periods as lists of days and values. */
import { type SnapshotValue, SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { slice } from "../../snapshot/loading/json-rows.ts";
import type { LoadedHistory } from "../../snapshot/tables/enrollment-history.ts";

export const SERVED_AS: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "maxCapacityHistory",
  totalEnrolled: "totalEnrolledHistory",
  waitlist: "waitlistHistory",
  waitlistCap: "waitlistCapHistory",
  requested: "requestedHistory",
  newOnlyReserved: "newOnlyReservedHistory",
  status: "statusHistory",
};

/** About 3 MB of JSON for 200 days. */
const RECORDS_PER_BATCH = 256;

/** The records at these row ids, in their order, a batch at a time: a slow client holds no connection. */
export async function* readHistories(pool: Pool, histories: LoadedHistory, rowIds: Int32Array): AsyncGenerator<string> {
  for (let from = 0; from < rowIds.length; from += RECORDS_PER_BATCH)
    yield await readRecords(pool, histories, rowIds.subarray(from, from + RECORDS_PER_BATCH));
}

const COLUMNS = constant(SNAPSHOT_VALUES.join(", "));

/** Records with commas between them. */
async function readRecords(
  pool: Pool,
  { jsonRows, periods, texts }: LoadedHistory,
  rowIds: Int32Array,
): Promise<string> {
  const [rows, first, last, ...values] = (await pool.integers(
    sql`SELECT row_id, first, last, ${COLUMNS} FROM ${periods} WHERE ${isOneOf(rowIds)} ORDER BY row_id, first`,
  )) as [Int32Array, Int32Array, Int32Array, ...Int32Array[]];
  const starts = new Map<number, number>();
  for (let i = rows.length - 1; i >= 0; i--) starts.set(rows[i] as number, i);
  const records = Array.from(rowIds, (rowId) => {
    const dates: string[] = [];
    const histories = values.map((): string[] => []);
    for (let i = starts.get(rowId) ?? rows.length; rows[i] === rowId; i++) {
      for (let day = first[i] as number; day <= (last[i] as number); day++) {
        dates.push(dayText(day));
        for (const [column, indexes] of values.entries())
          histories[column]?.push(texts[indexes[i] as number] as string);
      }
    }
    const section = slice(jsonRows.section, rowId, rowId + 1).toString();
    const lists = SNAPSHOT_VALUES.map((value, column) => `"${SERVED_AS[value]}":[${histories[column]?.join(",")}]`);
    return `${section.slice(0, -1)},"dates":[${dates.join(",")}],${lists.join(",")}}`;
  });
  return records.join(",");
}

/** The range of neighbours lets the statement skip all other rows. */
function isOneOf(rowIds: Int32Array): Fragment {
  const sorted = rowIds.toSorted();
  const [first = 0, last = -1] = [sorted[0], sorted.at(-1)];
  const inRange = sql`row_id BETWEEN ${first} AND ${last}`;
  // They travel as one text: binding each number by itself takes longer than the statement.
  return last - first === sorted.length - 1
    ? inRange
    : sql`${inRange} AND row_id IN (SELECT unnest(${`[${sorted.join(",")}]`}::INTEGER[]))`;
}

const DAY_MS = 86_400_000;
const days = new Map<number, string>();
/** `"2024-09-26"`. */
function dayText(number: number): string {
  let text = days.get(number);
  if (text === undefined) days.set(number, (text = `"${new Date(number * DAY_MS).toISOString().slice(0, 10)}"`));
  return text;
}
