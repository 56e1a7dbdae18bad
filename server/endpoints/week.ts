/** The academic week of a day, or of today on campus (interface specification, Week result; server/RULES.md, Week). */
import type { z } from "zod";
import { campusToday, isCalendarDate, nextDay, startOfCampusDay } from "../../pipeline/contract/campus-time.ts";
import { constant, sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type Period } from "../response/endpoint.ts";
import { numberOf, type ValuesOf } from "../response/params.ts";
import { shapeOf, type Week } from "../response/shapes/shapes.ts";
import type { TermDates } from "../../pipeline/contract/rows/calendar.ts";
import { compareTerms, type Quarter, type Term } from "../../pipeline/contract/vocabulary.ts";
import { quarterRank } from "../snapshot/tables/expressions.ts";
import { rowOf } from "../response/representations/layout.ts";
import { givenRows } from "../snapshot/loading/loading.ts";
import { sharedFilters } from "./shared-filters.ts";

const TWO_DIGITS = /^\d{1,2}$/;

const params = {
  year: sharedFilters.year.param,
  month: numberOf("month, January = 1", TWO_DIGITS, "a month from 1 to 12", ["10"]),
  day: numberOf("day of the month", TWO_DIGITS, "a day of the month", ["5"]),
};
type Values = ValuesOf<typeof params>;
const PARTS = ["year", "month", "day"] as const;

/** Requires all three parameters or none, and an existing day. */
function check(values: Values, refused: ReadonlySet<string>): string[] {
  const missing = PARTS.filter((part) => values[part] === undefined && !refused.has(part));
  if (missing.length === PARTS.length) return [];
  if (missing.length > 0)
    return missing.map((part) => `Parameter "${part}" not provided: give all of year, month and day, or none of them`);
  if (refused.size > 0 || isCalendarDate(Number(values.year), values.month ?? 0, values.day ?? 0)) return [];
  return [`Invalid date provided: there is no day ${values.day} of month ${values.month} in ${values.year}`];
}

const twoDigits = (part = 0) => String(part).padStart(2, "0");
const dateOf = ({ year, month, day }: Values, now: Date): string =>
  year === undefined ? campusToday(now) : `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** Returns the period of a response: the response for today changes at midnight on campus. */
function periodOf(values: Values, now: Date): Period {
  const day = dateOf(values, now);
  return values.year === undefined
    ? { name: day, since: startOfCampusDay(day), until: startOfCampusDay(nextDay(day)) }
    : { name: day };
}

export const weekEndpoint: Endpoint = defineEndpoint({
  path: "/week",
  summary: "Week of instruction, terms in session or in finals, and a display text, for a day or for today",
  title: (values, { now }) => `The academic week of ${dateOf(values, now)}`,
  params,
  check,
  tables: ["calendar"],
  products: ["calendar"],
  returns: shapeOf("Week"),
  period: periodOf,
  answer(values, { snapshot, now }) {
    const week = weekOf(dateOf(values, now), snapshot.tables.calendar.dates);
    return Promise.resolve({ body: [Buffer.from(JSON.stringify(week))] });
  },
  /** Selects the terms in session or in finals; none during a break. */
  statement(values, { snapshot, now }) {
    const day = dateOf(values, now);
    const { weeks, quarters, display } = weekOf(day, snapshot.tables.calendar.dates);
    const date = sql`${day}::DATE`;
    return {
      flat: givenRows(
        rowOf(shapeOf("Week")),
        weeks.map((week, i) => ({ week, quarter: quarters[i], display })),
      ),
      reads: [{ table: "calendar" }],
      select: sql`SELECT * FROM calendar
        WHERE ${date} BETWEEN instructionStart AND instructionEnd OR ${date} BETWEEN finalsStart AND finalsEnd
        ORDER BY year, ${constant(quarterRank)}`,
    };
  },
});

const TITLES: Readonly<Record<Quarter, string>> = {
  Winter: "Winter Quarter",
  Spring: "Spring Quarter",
  Summer1: "Summer Session I",
  Summer10wk: "Summer Session 10WK",
  Summer2: "Summer Session II",
  Fall: "Fall Quarter",
};

const FINALS = -1;
const ENCOURAGEMENT = "Good luck! 🤞";

const title = (term: Term): string => `${TITLES[term.quarter]} ${term.year}`;

/** Returns the days since 1970-01-01, in UTC to avoid daylight saving time. */
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/**
 * Returns the Monday of week 1: that of the week in which instruction begins, or the next one if it begins on a
 * Thursday or later (every Fall).
 */
function mondayOfWeekOne(instructionStart: string): number {
  const first = dayNumber(instructionStart);
  // 1970-01-01 was a Thursday; 0 = Monday.
  const weekday = (first + 3) % 7;
  return first - weekday + (weekday >= 3 ? 7 : 0);
}

function weekNumber(date: string, { instructionStart }: TermDates): number {
  const week = Math.floor((dayNumber(date) - mondayOfWeekOne(instructionStart)) / 7) + 1;
  // "the instruction week number (1 or more)": in Fall, the first Thursday to Sunday belong to week 1.
  return Math.max(1, week);
}

/**
 * Returns the academic week of `date` (`YYYY-MM-DD`, an existing day): terms in session first, then terms in finals,
 * each in calendar order. All bounds are inclusive; if a term is both in session and in finals, finals win. A day
 * outside every term is a break.
 */
export function weekOf(date: string, calendar: readonly TermDates[]): z.infer<typeof Week> {
  const terms = [...calendar].sort(compareTerms);
  const finals = terms.filter((term) => term.finalsStart <= date && date <= term.finalsEnd);
  const session = terms
    .filter((term) => term.instructionStart <= date && date <= term.instructionEnd && !finals.includes(term))
    .map((term) => ({ title: title(term), week: weekNumber(date, term) }));
  if (session.length + finals.length === 0) return { weeks: [-1], quarters: ["N/A"], display: "Enjoy your break! 😎" };
  return {
    weeks: [...session.map(({ week }) => week), ...finals.map(() => FINALS)],
    quarters: [...session.map((term) => term.title), ...finals.map(title)],
    display: displayOf(finals.map(title), session),
  };
}

/** Builds the display text. Finals come first; terms in the same week of instruction share a `Week n •`. */
function displayOf(finals: readonly string[], session: readonly { title: string; week: number }[]): string {
  const word = finals.length + session.length === 1 ? "Finals Week" : "Finals";
  const byWeek = new Map<number, string[]>();
  for (const { title, week } of session) byWeek.set(week, [...(byWeek.get(week) ?? []), title]);
  return [
    ...finals.map((term) => `${word} • ${term}. ${ENCOURAGEMENT}`),
    ...[...byWeek].map(([week, titles]) => `Week ${week} • ${titles.join(" | ")}`),
  ].join(" | ");
}
