/** Parses the printed dates of the academic calendar as term dates. **Output:** `calendar`. */
import type { TermDates } from "../contract/rows/calendar.ts";
import { compareTerms, type Quarter, QUARTERS, type Term, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { isDay, rangesIn, toDays } from "./printed-days.ts";

/** A line of a cell, as printed. */
export interface PrintedEntry {
  readonly quarter: Quarter;
  /** The year in the column's heading, if any. */
  readonly year?: string | undefined;
  readonly label: string;
  /** `Sep 28`, `Dec 9-15`, `TBA`. */
  readonly text: string;
}

export interface PrintedYear {
  /** 2023 for the academic year 2023–24. */
  readonly firstYear: number;
  /** The quarters that have a column on the page. */
  readonly quarters: readonly Quarter[];
  readonly entries: readonly PrintedEntry[];
}

/**
 * The lines with the bounds of terms; lines whose label begins so take precedence over lines that merely contain the
 * words.
 */
const BOUNDS = [/instruction begins/i, /instruction ends/i, /final examinations/i] as const;

/** The year is not printed: Fall is in the first year, all other terms in the second. */
export const termIn = (firstYear: number, quarter: Quarter): Term => ({
  year: String(firstYear + (quarter === "Fall" ? 0 : 1)),
  quarter,
});

/** The entries in columns of this academic year, without columns that are headed with another year. */
export const ownEntries = ({ firstYear, entries }: Omit<PrintedYear, "quarters">): readonly PrintedEntry[] =>
  entries.filter(({ quarter, year }) => year === undefined || year === termIn(firstYear, quarter).year);

/**
 * The entries with first and last day of instruction and finals of a quarter, in this order; undefined for a missing
 * line.
 */
function boundsOf(entries: readonly PrintedEntry[], quarter: Quarter): (PrintedEntry | undefined)[] {
  return BOUNDS.map((words) => {
    const labelled = entries.filter((entry) => entry.quarter === quarter && words.test(entry.label));
    return labelled.find(({ label }) => label.search(words) === 0) ?? labelled[0];
  });
}

/** All entries except the bounds of terms. */
export function otherEntries(year: Omit<PrintedYear, "quarters">): PrintedEntry[] {
  const entries = ownEntries(year);
  const bounds = QUARTERS.flatMap((quarter) => boundsOf(entries, quarter)).filter((entry) => entry !== undefined);
  const isBound = (entry: PrintedEntry) =>
    bounds.some(
      ({ quarter, label, text }) => entry.quarter === quarter && entry.label === label && entry.text === text,
    );
  return entries.filter((entry) => !isBound(entry));
}

/** The terms of an academic year. */
export function toTermDates(year: PrintedYear, tally: Tally): TermDates[] {
  const entries = ownEntries(year);
  const ownYear = new Set(entries);
  for (const { quarter, year: other, label } of year.entries.filter((entry) => !ownYear.has(entry)))
    tally.note("a column of the calendar is headed with another year", `${other} ${quarter}, ${label}`);
  return year.quarters.flatMap((quarter) => {
    const texts = boundsOf(entries, quarter).map((entry) => entry?.text ?? "");
    return toTerm(termIn(year.firstYear, quarter), texts, tally) ?? [];
  });
}

function toTerm(term: Term, cells: readonly string[], tally: Tally): TermDates | undefined {
  tally.read();
  if (cells.every((cell) => rangesIn(cell).length === 0)) {
    tally.note("the calendar has no dates yet", termName(term));
    return undefined;
  }
  const [begins, ends, finals] = cells.map((cell) => {
    const ranges = rangesIn(cell).map((range) => toDays(range, () => Number(term.year)));
    return [ranges[0]?.[0] ?? "", ranges.at(-1)?.[1] ?? ""] as const;
  });
  return checked(
    {
      ...term,
      instructionStart: begins?.[0] ?? "",
      instructionEnd: ends?.[1] ?? "",
      finalsStart: finals?.[0] ?? "",
      finalsEnd: finals?.[1] ?? "",
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

/** Every term, without duplicates, in calendar order; `over` takes precedence over `base`. */
export function mergeCalendars(base: readonly TermDates[], over: readonly TermDates[] = []): TermDates[] {
  const terms = new Map([...base, ...over].map((term) => [termName(term), term]));
  return [...terms.values()].sort(compareTerms);
}

const BOUND_NAMES = ["instructionStart", "instructionEnd", "finalsStart", "finalsEnd"] as const;

/** Notes each term whose dates in `calendar.csv`, which take precedence, differ from those of the pages. */
export function noteOverridden(printed: readonly TermDates[], written: readonly TermDates[], tally: Tally): void {
  for (const term of written) {
    const page = printed.find((candidate) => compareTerms(candidate, term) === 0);
    const differing = BOUND_NAMES.filter((name) => page && page[name] !== term[name]);
    if (!page || differing.length === 0) continue;
    const both = differing.map((name) => `the file's ${name} is ${term[name]}, the page's ${page[name]}`).join("; ");
    tally.note("dates of calendar.csv that differ from the calendar's page", `${termName(term)}; ${both}`);
  }
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
