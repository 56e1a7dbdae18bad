/** Builds the records of enrollment histories: the JSON of a section, and its periods as lists of days and values. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { EndpointContext } from "../../response/endpoint.ts";
import { sectionNumber } from "../../snapshot/tables/enrollment-history.ts";
import { rangeOf } from "../../snapshot/tables/enrollment-parts.ts";
import { type Place, type Source, sourcesOf } from "./history-sources.ts";

/** The names of the lists in a record, in the order of `SNAPSHOT_VALUES`. */
export const HISTORIES = SNAPSHOT_VALUES.map((value) => `${value}History`);

/** About 3 MB of JSON for 200 days. */
const RECORDS_PER_BATCH = 256;

/** Reads the records of sections in order, batch by batch, so that a slow client does not occupy a connection. */
export async function* readHistories(
  { pool, snapshot: { parts, published } }: Pick<EndpointContext, "pool" | "snapshot">,
  places: readonly Place[],
): AsyncGenerator<string> {
  for (let from = 0; from < places.length; from += RECORDS_PER_BATCH) {
    const batch = places.slice(from, from + RECORDS_PER_BATCH);
    const sources = await sourcesOf(pool, parts, published, batch);
    yield batch.map((place) => toRecord(place, sources.get(place.term) as Source)).join(",");
  }
}

function toRecord(place: Place, source: Source): string {
  let dates = "";
  const histories = SNAPSHOT_VALUES.map(() => "");
  for (const periods of source.periods) {
    const { baseDay, first, last, values } = periods;
    const [from, to] = rangeOf(periods, sectionNumber(place));
    for (let i = from; i < to; i++) {
      const days = (last[i] as number) - (first[i] as number) + 1;
      dates += daysText(baseDay + (first[i] as number), days);
      for (const [column, { texts, indexes }] of values.entries())
        histories[column] += `${texts[indexes[i] as number]},`.repeat(days);
    }
  }
  const lists = HISTORIES.map((name, column) => `"${name}":[${histories[column]?.slice(0, -1)}]`);
  return `${source.section(place).slice(0, -1)},"dates":[${dates.slice(0, -1)}],${lists.join(",")}}`;
}

const DAY_MS = 86_400_000;
const dayText = (day: number) => `"${new Date(day * DAY_MS).toISOString().slice(0, 10)}",`;
const LENGTH = dayText(0).length;
/** The number of days in a cached text; a period is a slice of it. */
const DAYS_PER_TEXT = 1024;
const cachedTexts = new Map<number, string>();

/** Returns consecutive days, the first counted from 1970-01-01: `"2024-09-26","2024-09-27",`. */
export function daysText(first: number, days: number): string {
  const number = Math.floor(first / DAYS_PER_TEXT);
  let text = cachedTexts.get(number);
  if (text === undefined) {
    text = Array.from({ length: DAYS_PER_TEXT }, (_, i) => dayText(DAYS_PER_TEXT * number + i)).join("");
    cachedTexts.set(number, text);
  }
  const from = first - DAYS_PER_TEXT * number;
  const count = Math.min(days, DAYS_PER_TEXT - from);
  const begin = text.slice(LENGTH * from, LENGTH * (from + count));
  return count === days ? begin : begin + daysText(first + count, days - count);
}
