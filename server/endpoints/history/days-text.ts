/** Days that follow each other as JSON, cut out of a text that is made once. */

const DAY_MS = 86_400_000;
const dayText = (day: number) => `"${new Date(day * DAY_MS).toISOString().slice(0, 10)}",`;
const LENGTH = dayText(0).length;
/** Days that follow each other, as one text: a period is a part of it. */
const DAYS_TOGETHER = 1024;
const together = new Map<number, string>();

/** So many days from one on, which is counted from 1970-01-01: `"2024-09-26","2024-09-27",`. */
export function daysText(first: number, days: number): string {
  const number = Math.floor(first / DAYS_TOGETHER);
  let text = together.get(number);
  if (text === undefined) {
    text = Array.from({ length: DAYS_TOGETHER }, (_, i) => dayText(DAYS_TOGETHER * number + i)).join("");
    together.set(number, text);
  }
  const from = first - DAYS_TOGETHER * number;
  const own = Math.min(days, DAYS_TOGETHER - from);
  const begin = text.slice(LENGTH * from, LENGTH * (from + own));
  return own === days ? begin : begin + daysText(first + own, days - own);
}
