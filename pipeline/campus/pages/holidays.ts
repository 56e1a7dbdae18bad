/**
 * The campus holidays, on the days on which they are observed: the Friday before a Saturday, the Monday after a Sunday.
 */
import type { Term } from "../../contract/vocabulary.ts";
import { toDay, weekdayOf } from "../days.ts";

/** First and last day. */
export type Days = readonly [number, number];

/** Its label, and its days in the column of a term; undefined if it has none there. */
type Holiday = readonly [label: string, days: (term: Term) => Days | undefined];

export const REGULAR_HOLIDAYS: readonly Holiday[] = [
  ["Veterans Day Holiday", inQuarter("Fall", (year) => observed(year, 11, 11))],
  ["Thanksgiving Holiday", inQuarter("Fall", (year) => [thanksgiving(year), thanksgiving(year) + 1])],
  ["Winter Administrative Recess", inQuarter("Fall", (year) => [toDay(year, 12, 24), toDay(year + 1, 1, 1)])],
  ["Martin Luther King, Jr. Holiday", inQuarter("Winter", (year) => oneDay(nthWeekday(year, 1, MONDAY, 3)))],
  ["Presidents&rsquo; Day Holiday", inQuarter("Winter", (year) => oneDay(nthWeekday(year, 2, MONDAY, 3)))],
  ["Memorial Day Holiday", inQuarter("Spring", (year) => oneDay(nthWeekday(year, 6, MONDAY, 1) - 7))],
];

export const SUMMER_HOLIDAYS: readonly Holiday[] = [
  ["Juneteenth Holiday", inFirstSessions((year) => (year < FIRST_JUNETEENTH ? undefined : observed(year, 6, 19)))],
  ["Independence Day Holiday", inFirstSessions((year) => observed(year, 7, 4))],
  ["Labor Day Holiday", inQuarter("Summer2", (year) => oneDay(nthWeekday(year, 9, MONDAY, 1)))],
];

/** The first year in which the university observed it. */
const FIRST_JUNETEENTH = 2022;
const MONDAY = 1;
const THURSDAY = 4;

function inQuarter(only: Term["quarter"], days: (year: number) => Days | undefined): Holiday[1] {
  return ({ year, quarter }) => (quarter === only ? days(Number(year)) : undefined);
}

function inFirstSessions(days: (year: number) => Days | undefined): Holiday[1] {
  return ({ year, quarter }) => (quarter === "Summer2" ? undefined : days(Number(year)));
}

const oneDay = (day: number): Days => [day, day];

const thanksgiving = (year: number): number => nthWeekday(year, 11, THURSDAY, 4);

/** @param weekday 0 = Sunday */
function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  const first = toDay(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7;
}

function observed(year: number, month: number, date: number): Days {
  const day = toDay(year, month, date);
  const weekday = weekdayOf(day);
  return oneDay(weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day);
}
