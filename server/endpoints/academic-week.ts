/** Computes the academic week of a day (interface specification, Week result; server/RULES.md, Week). */
import type { TermDates } from "../../pipeline/contract/rows/calendar.ts";
import type { z } from "zod";
import { compareTerms, type Quarter, type Term } from "../../pipeline/contract/vocabulary.ts";
import type { Week } from "../response/shapes/shapes.ts";

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
