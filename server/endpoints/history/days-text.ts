/** Formats consecutive days as JSON, as slices of cached texts. */

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
