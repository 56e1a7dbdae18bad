/** The records of enrollment histories: the JSON of a section, and its periods as lists of days and values. */
import { type SnapshotValue, SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import { rangeOf } from "../../snapshot/tables/enrollment-parts.ts";
import { type Place, type Source, sourcesOf } from "./history-sources.ts";

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

/** The records of these sections, in their order, a batch at a time: a slow client holds no connection. */
export async function* readHistories(
  { pool, snapshot: { parts, generation } }: Pick<EndpointContext, "pool" | "snapshot">,
  places: readonly Place[],
): AsyncGenerator<string> {
  for (let from = 0; from < places.length; from += RECORDS_PER_BATCH) {
    const batch = places.slice(from, from + RECORDS_PER_BATCH);
    const sources = await sourcesOf(pool, parts, generation, batch);
    yield batch.map((place) => toRecord(place, sources.get(place.term) as Source)).join(",");
  }
}

function toRecord({ row, code }: Place, source: Source): string {
  const dates: string[] = [];
  const histories = SNAPSHOT_VALUES.map((): string[] => []);
  for (const periods of source.periods) {
    const { baseDay, first, last, values } = periods;
    const [from, to] = rangeOf(periods, code);
    for (let i = from; i < to; i++) {
      for (let day = first[i] as number; day <= (last[i] as number); day++) {
        dates.push(dayText(baseDay + day));
        for (const [column, { texts, indexes }] of values.entries())
          histories[column]?.push(texts[indexes[i] as number] as string);
      }
    }
  }
  const lists = SNAPSHOT_VALUES.map((value, column) => `"${SERVED_AS[value]}":[${histories[column]?.join(",")}]`);
  return `${source.section(row).slice(0, -1)},"dates":[${dates.join(",")}],${lists.join(",")}}`;
}

const DAY_MS = 86_400_000;
const days = new Map<number, string>();
/** `"2024-09-26"`. */
function dayText(number: number): string {
  let text = days.get(number);
  if (text === undefined) days.set(number, (text = `"${new Date(number * DAY_MS).toISOString().slice(0, 10)}"`));
  return text;
}
