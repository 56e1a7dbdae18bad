/**
 * Parses the other lines of the academic calendar as dates (pipeline/RULES.md, Calendar). **Output:** `calendar_dates`.
 */
import type { Tally } from "../contract/documents/tally.ts";
import type { CalendarDate, EventKind } from "../contract/rows/calendar.ts";
import { type Quarter, type Term, termName } from "../contract/vocabulary.ts";
import { otherEntries, type PrintedEntry, termIn } from "./calendar.ts";
import { isDay, rangesIn, toDays } from "./printed-days.ts";

/** Days without classes, which calendar files leave out. */
const HOLIDAY =
  /\b(holidays?|recess|break|no (classes|instruction)|campus (is )?closed|campus closure)\b|veterans|thanksgiving|martin luther king|(presidents|washington|lincoln).{0,3} (birth)?day|ch[aá]vez|memorial day|juneteenth|independence day|(fourth|4th) of july|labor day|indigenous people|columbus day|christmas|new year/i;
const ABOUT =
  /last day|deadline|enrol?l|registration|\b(resumes?|due|drop|add|withdraw(al)?|apply|application|submit|file|pay)\b/i;

/**
 * True for `Labor Day holiday (no enrollment)`, but not for `Last day to drop before the Thanksgiving holiday`, which
 * is about something else.
 */
function isHoliday(label: string): boolean {
  const [named, about] = [label.search(HOLIDAY), label.search(ABOUT)];
  return named !== -1 && (about === -1 || named < about);
}

function isBoundOfTerm(label: string): boolean {
  const named = label.search(/\b(quarter|term|session)s?\b/i);
  return named !== -1 && /\b(begins?|ends?)\b/i.test(label.slice(named));
}

/** The first match determines the kind. */
const KINDS: readonly (readonly [EventKind, (label: string) => boolean])[] = [
  ["holiday", isHoliday],
  ["enrollment", (label) => /enrol?lment|registration|study.list/i.test(label)],
  ["schedule", (label) => /schedule of classes/i.test(label)],
  ["deadline", (label) => /last day|deadline|\b(drop|add|withdraw(al)?)\b/i.test(label)],
  ["term", isBoundOfTerm],
];

export const kindOf = (label: string): EventKind => KINDS.find(([, matches]) => matches(label))?.[0] ?? "other";

/** A row for each date of an entry; an unknown bound is null. Texts without a number, such as `TBA`, have none. */
export function toCalendarDates(
  year: { readonly firstYear: number; readonly entries: readonly PrintedEntry[] },
  tally: Tally,
): CalendarDate[] {
  const rows = otherEntries(year).flatMap(({ quarter, label, text }) =>
    toDates({ term: termIn(year.firstYear, quarter), event: label, text }, tally),
  );
  return onceEach(rows);
}

/** The dates of all academic years: a year whose page has dates replaces that year of `base`. */
export function mergeDates(base: readonly CalendarDate[], printed: readonly CalendarDate[]): CalendarDate[] {
  const renewed = new Set(printed.map(academicYear));
  return onceEach([...base.filter((row) => !renewed.has(academicYear(row))), ...printed]);
}

const academicYear = ({ year, quarter }: Term): number => Number(year) - (quarter === "Fall" ? 0 : 1);

/** Removes repetitions of a printed line. */
const onceEach = (rows: readonly CalendarDate[]): CalendarDate[] => [
  ...new Map(
    rows.map((row) => [JSON.stringify([row.year, row.quarter, row.event, row.firstDay, row.lastDay]), row]),
  ).values(),
];

interface PrintedDates {
  readonly term: Term;
  readonly event: string;
  readonly text: string;
}

function toDates({ term, event, text }: PrintedDates, tally: Tally): CalendarDate[] {
  if (!/\d/.test(text)) return [];
  const where = `${termName(term)}, ${event}: ${text}`;
  const ranges = rangesIn(text);
  if (ranges.length === 0) tally.note("a cell of the calendar has no date", where);
  return ranges.flatMap((range) => {
    tally.read();
    const [firstDay, lastDay] = toDays(range, (month) => yearOf(month, term));
    const isImpossible = [firstDay, lastDay].some((day) => day !== null && !isDay(day));
    if (isImpossible || (firstDay !== null && lastDay !== null && lastDay < firstDay)) {
      tally.drop("a date is impossible", where);
      return [];
    }
    tally.keep();
    return { ...term, event, kind: kindOf(event), firstDay, lastDay };
  });
}

/** The latest month in which a quarter begins. */
const FIRST_MONTH: Readonly<Record<Quarter, number>> = {
  Winter: 1,
  Spring: 4,
  Summer1: 6,
  Summer10wk: 6,
  Summer2: 8,
  Fall: 10,
};
/** The most months that a quarter lasts, including its first. */
const MONTHS_LONG = 4;

/**
 * A date is in its term's year; a January after Fall is in the next year. A month that is too far from the quarter's
 * first precedes it, in the previous year: the schedule of Winter is published in November.
 */
function yearOf(month: number, { year, quarter }: Term): number {
  const end = FIRST_MONTH[quarter] + MONTHS_LONG;
  if (month + 12 < end) return Number(year) + 1;
  return Number(year) - (month >= end ? 1 : 0);
}
