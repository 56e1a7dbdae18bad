/** Dates of the academic calendar as printed → term dates. **Output:** `calendar`. */
import type { TermDates } from "../contract/rows/calendar.ts";
import { isCalendarDate } from "../contract/campus-time.ts";
import { compareTerms, MONTHS, type Quarter, QUARTERS, type Term, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";

/** The cells of three columns, as printed. */
export interface PrintedColumns {
  readonly begins: readonly [string, string, string];
  readonly ends: readonly [string, string, string];
  readonly finals: readonly [string, string, string];
}

export interface PrintedYear {
  /** 2023 for the academic year 2023–24. */
  readonly firstYear: number;
  readonly regular: PrintedColumns;
  readonly summer?: PrintedColumns | undefined;
}

/** The columns' order on the page. */
export const REGULAR = ["Fall", "Winter", "Spring"] as const satisfies readonly Quarter[];
export const SUMMER = ["Summer1", "Summer10wk", "Summer2"] as const satisfies readonly Quarter[];

/** The year is not printed: Fall is in the first year, all other terms in the second. */
export const termIn = (firstYear: number, quarter: Quarter): Term => ({
  year: String(firstYear + (quarter === "Fall" ? 0 : 1)),
  quarter,
});

/** The terms of one academic year. */
export function toTermDates(year: PrintedYear, tally: Tally): TermDates[] {
  const tables: (readonly [readonly Quarter[], PrintedColumns])[] = [[REGULAR, year.regular]];
  if (year.summer) tables.push([SUMMER, year.summer]);
  return tables.flatMap(([quarters, columns]) =>
    quarters.flatMap((quarter, i) => {
      const term = termIn(year.firstYear, quarter);
      const cells = [columns.begins[i] ?? "", columns.ends[i] ?? "", columns.finals[i] ?? ""];
      return toTerm(term, cells, tally) ?? [];
    }),
  );
}

function toTerm(term: Term, cells: readonly string[], tally: Tally): TermDates | undefined {
  const [begins = "", ends = "", finals = ""] = cells;
  tally.read();
  if (cells.every((cell) => !/\d/.test(cell))) {
    tally.note("the calendar has no dates yet", termName(term));
    return undefined;
  }
  const finalDays = toRange(finals, term.year);
  return checked(
    {
      ...term,
      instructionStart: toRange(begins, term.year)?.[0] ?? "",
      instructionEnd: toRange(ends, term.year)?.[1] ?? "",
      finalsStart: finalDays?.[0] ?? "",
      finalsEnd: finalDays?.[1] ?? "",
    },
    `${termName(term)}: ${cells.join(", ")}`,
    tally,
  );
}

/** Rows of `data/calendar.csv`, as written. */
export function toCalendarRows(
  records: readonly Readonly<Record<keyof TermDates, string>>[],
  tally: Tally,
): TermDates[] {
  return records.flatMap((record, i) => {
    const where = `calendar.csv row ${i + 2}`;
    const quarter = QUARTERS.find((name) => name === record.quarter);
    tally.read();
    if (!/^\d{4}$/.test(record.year) || !quarter) {
      tally.drop("the row names no term", `${where}: ${record.year} ${record.quarter}`);
      return [];
    }
    return checked({ ...record, quarter }, where, tally) ?? [];
  });
}

/** Every term once, in calendar order; `over` takes precedence over `base`. */
export function mergeCalendars(base: readonly TermDates[], over: readonly TermDates[] = []): TermDates[] {
  const terms = new Map([...base, ...over].map((term) => [termName(term), term]));
  return [...terms.values()].sort(compareTerms);
}

/** Drops a term with invalid dates. */
function checked(term: TermDates, where: string, tally: Tally): TermDates | undefined {
  const { instructionStart, instructionEnd, finalsStart, finalsEnd } = term;
  const days = [instructionStart, instructionEnd, finalsStart, finalsEnd];
  if (!days.every(isDay)) {
    tally.drop("a date is missing or impossible", where);
    return undefined;
  }
  tally.keep();
  return term;
}

export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return isCalendarDate(Number(year), Number(month), Number(day));
}

/** `Sep 28`, `Dec 9-15`, `Mar 30 – Apr 5`, `Sept. 28` → first and last day. */
function toRange(text: string, year: string): [first: string, last: string] | undefined {
  const found =
    /([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})\b(?:\s*[-–—]\s*(?:[A-Za-z]{3,9},\s*)?(?:([A-Za-z]{3})[a-z]*\.?\s+)?(\d{1,2})\b)?/.exec(
      text.replace(/^[A-Za-z]+day,?\s+|^[A-Z][a-z]{2},\s+/, ""),
    );
  if (!found) return undefined;
  const [, month = "", day = "", lastMonth = month, lastDay = day] = found;
  return [toDay(year, month, day), toDay(year, lastMonth, lastDay)];
}

/** An unknown month gives month 00, which is invalid. */
export function toDay(year: string, month: string, day: string): string {
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase()) + 1;
  return `${year}-${String(index).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
