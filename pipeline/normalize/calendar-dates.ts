/** The other lines of the academic calendar as printed → dates (pipeline/RULES.md, Calendar). **Output:** `calendar_dates`. */
import type { Tally } from "../contract/documents/tally.ts";
import type { CalendarDate, EventKind } from "../contract/rows/calendar.ts";
import { MONTHS, type Quarter, type Term, termName } from "../contract/vocabulary.ts";
import { isDay, REGULAR, SUMMER, termIn, toDay } from "./calendar.ts";

/** A line with the cells of its three columns, as printed. */
export interface PrintedLine {
  readonly label: string;
  readonly isSummer: boolean;
  readonly cells: readonly [string, string, string];
}

/** The first that matches. */
const KINDS: readonly (readonly [EventKind, RegExp])[] = [
  [
    "holiday",
    /holiday|veterans|thanksgiving|martin luther king|presidents.? day|ch[aá]vez|memorial day|juneteenth|independence day|labor day|christmas|new year/i,
  ],
  ["enrollment", /enrol?lment|registration|study.list/i],
  ["schedule", /schedule of classes/i],
  ["deadline", /last day|deadline|\b(drop|add|withdraw(al)?)\b/i],
  ["term", /\b(quarter|term|session)s?\b.*\b(begins?|ends?)\b/i],
];

export const kindOf = (label: string): EventKind => KINDS.find(([, words]) => words.test(label))?.[0] ?? "other";

/** One row a date of a cell. Cells without a number, such as `TBA`, have none. */
export function toCalendarDates(
  { firstYear, lines }: { readonly firstYear: number; readonly lines: readonly PrintedLine[] },
  tally: Tally,
): CalendarDate[] {
  const rows = lines.flatMap(({ label, isSummer, cells }) =>
    (isSummer ? SUMMER : REGULAR).flatMap((quarter, i) =>
      toDates({ term: termIn(firstYear, quarter), event: label, cell: cells[i] ?? "" }, tally),
    ),
  );
  return onceEach(rows);
}

/** The dates of all academic years: a year whose page has any takes the place of what `base` has of it. */
export function mergeDates(base: readonly CalendarDate[], printed: readonly CalendarDate[]): CalendarDate[] {
  const renewed = new Set(printed.map(academicYear));
  return onceEach([...base.filter((row) => !renewed.has(academicYear(row))), ...printed]);
}

const academicYear = ({ year, quarter }: Term): number => Number(year) - (quarter === "Fall" ? 0 : 1);

/** A line that is printed twice is one. */
const onceEach = (rows: readonly CalendarDate[]): CalendarDate[] => [
  ...new Map(rows.map((row) => [JSON.stringify([row.year, row.quarter, row.event, row.firstDay]), row])).values(),
];

interface PrintedCell {
  readonly term: Term;
  readonly event: string;
  readonly cell: string;
}

function toDates({ term, event, cell }: PrintedCell, tally: Tally): CalendarDate[] {
  if (!/\d/.test(cell)) return [];
  const where = `${termName(term)}, ${event}: ${cell}`;
  const ranges = rangesIn(cell);
  if (ranges.length === 0) tally.note("a cell of the calendar has no date", where);
  return ranges.flatMap((range) => {
    tally.read();
    const [firstDay, lastDay] = daysOf(range, term);
    if (!isDay(firstDay) || !isDay(lastDay) || lastDay < firstDay) {
      tally.drop("a date is impossible", where);
      return [];
    }
    tally.keep();
    return { ...term, event, kind: kindOf(event), firstDay, lastDay };
  });
}

interface PrintedRange {
  readonly month: string;
  readonly day: string;
  readonly lastMonth: string;
  readonly lastDay: string;
}

const MONTH = String.raw`\b(${MONTHS.join("|")})[a-z]*\.?\s+`;
/** No hour, and not the beginning of a year. */
const DAY = String.raw`(\d{1,2})(?![\d:]|\s*[ap]\.?m)`;
const WEEKDAY = String.raw`(?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]*\.?,?\s+)?`;
const RANGE = new RegExp(
  String.raw`(?:${MONTH}|[,;&]\s*|\band\s+)${DAY}(?:\s*(?:[-–—]|\bto\b|\bthrough\b)\s*${WEEKDAY}(?:${MONTH})?${DAY})?`,
  "gi",
);

/** `Sep 28`, `Dec 9-15`, `Mar 30 – Apr 5`, `Nov 9, 16 and Dec 1`: a day without a month is in that of the day before it. */
function rangesIn(cell: string): PrintedRange[] {
  const ranges: PrintedRange[] = [];
  for (const [, month = ranges.at(-1)?.lastMonth, day = "", lastMonth = month, lastDay = day] of cell.matchAll(RANGE))
    if (month !== undefined && lastMonth !== undefined) ranges.push({ month, day, lastMonth, lastDay });
  return ranges;
}

/** The month in which a quarter begins at the latest. */
const FIRST_MONTH: Readonly<Record<Quarter, number>> = {
  Winter: 1,
  Spring: 4,
  Summer1: 6,
  Summer10wk: 6,
  Summer2: 8,
  Fall: 10,
};
/** No quarter is longer, from its first month on. */
const MONTHS_LONG = 4;

/**
 * A date is in its term's year. One that comes so many months after the quarter's first comes before it instead, in the year before: the schedule of
 * Winter is out in November. A range that ends in an earlier month ends in the next year.
 */
function daysOf({ month, day, lastMonth, lastDay }: PrintedRange, { year, quarter }: Term): [string, string] {
  const number = (name: string) => MONTHS.findIndex((one) => one.toLowerCase() === name.toLowerCase()) + 1;
  const first = Number(year) - (number(month) >= FIRST_MONTH[quarter] + MONTHS_LONG ? 1 : 0);
  const last = first + (number(lastMonth) < number(month) ? 1 : 0);
  return [toDay(String(first), month, day), toDay(String(last), lastMonth, lastDay)];
}
