/** How the seats of a course were taken in each term, by day relative to the first day of instruction. */
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";
import type { ResponseBody } from "../data/response-body.ts";
import { countIn } from "../format.ts";
import { groupBy } from "../charts/grade-sums.ts";

export type EnrollmentRecord = ResponseBody<"EnrollmentHistory">[number];

export interface FillDay {
  readonly date: string;
  /** Weeks since the first day of instruction; negative before it. */
  readonly week: number;
  readonly taken: number;
  readonly seats: number;
  /** Days in a row have the same; the line between two of them is known. */
  readonly run: number;
  readonly isFull: boolean;
}

export interface FillCurve {
  /** `2026 Fall`. */
  readonly term: string;
  /** Ascending; at least one. */
  readonly days: readonly [FillDay, ...FillDay[]];
  /** The first recorded day without a free seat. */
  readonly full: FillDay | undefined;
  /** The recorded day before that one, if it was not the day before. */
  readonly fullAfterGap: FillDay | undefined;
  /** Days from the last one on which nobody was enrolled to the first full one. */
  readonly daysToFill: number | undefined;
  readonly instructors: readonly string[];
}

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const isPrimary = ({ units }: EnrollmentRecord): boolean => units !== "0";
const codeOf = ({ sectionCode }: EnrollmentRecord): string => String(sectionCode).padStart(5, "0");

/** By `2026 Fall 34130`: the day from which on a section is cancelled; `""` if that is not known. */
export type CancelledFrom = ReadonlyMap<string, string>;

/**
 * Reads cancellations from `changes` of the kinds `cancelled` and `reinstated`, oldest first, and from `keys` of
 * sections that are cancelled now.
 */
export function cancellations(changes: ResponseBody<"Changes">, keys: readonly string[]): CancelledFrom {
  const days = new Map(keys.map((key) => [key, ""]));
  for (const { year, quarter, sectionCode, kind, at } of changes) {
    const key = `${year} ${quarter} ${sectionCode}`;
    if (kind === "cancelled") days.set(key, at.slice(0, 10));
    else days.delete(key);
  }
  return days;
}

/**
 * Returns a curve per term, newest first. Seats are those of sections with units (discussions take the same students
 * again) until they are cancelled. Days end with the term; terms without calendar dates have no curve.
 */
export function fillCurves(
  records: readonly EnrollmentRecord[],
  calendar: readonly TermDates[],
  cancelled: CancelledFrom,
): FillCurve[] {
  return [...groupBy(records, ({ year, quarter }) => [`${year} ${quarter}`])]
    .flatMap(([term, all]) => {
      const dates = calendar.find(({ year, quarter }) => `${year} ${quarter}` === term);
      const primary = all.filter(isPrimary);
      const curve = dates && curveOf(term, primary.length > 0 ? primary : all, dates, cancelled);
      return curve ? [{ curve, begins: dates.instructionStart }] : [];
    })
    .toSorted((a, b) => (a.begins < b.begins ? 1 : -1))
    .map(({ curve }) => curve);
}

function curveOf(
  term: string,
  records: readonly EnrollmentRecord[],
  { instructionStart, finalsEnd }: TermDates,
  cancelled: CancelledFrom,
): FillCurve | undefined {
  const sections = records.map((record) => {
    const end = cancelled.get(`${term} ${codeOf(record)}`);
    return record.dates.flatMap((date, i) => {
      const taken = countIn(record.totalEnrolledHistory[i] ?? "");
      const seats = countIn(record.maxCapacityHistory[i] ?? "");
      const isLeftOut = !seats || date > finalsEnd || (end !== undefined && date >= end);
      return taken === undefined || isLeftOut ? [] : [{ date, taken, seats }];
    });
  });
  const dates = [...new Set(sections.flatMap((section) => section.map(({ date }) => date)))].toSorted();
  let run = 0;
  const days = dates.map((date, i): FillDay => {
    const previous = dates[i - 1];
    if (previous !== undefined && daysBetween(previous, date) > 1) run += 1;
    // A section that was not recorded on a day still had what it had on the day before.
    const recorded = sections.flatMap((section) =>
      (section.at(-1)?.date ?? "") < date ? [] : (section.findLast((day) => day.date <= date) ?? []),
    );
    return {
      ...{ date, run, week: daysBetween(instructionStart, date) / 7 },
      taken: recorded.reduce((sum, { taken }) => sum + taken, 0),
      seats: recorded.reduce((sum, { seats }) => sum + seats, 0),
      isFull: recorded.every(({ taken, seats }) => taken >= seats),
    };
  });
  const [first, ...others] = days;
  if (!first) return undefined;
  const fullIndex = days.findIndex(({ isFull }) => isFull);
  const [full, previous] = [days[fullIndex], days[fullIndex - 1]];
  const opened = days.slice(0, Math.max(fullIndex, 0)).findLast(({ taken }) => taken === 0);
  return {
    term,
    days: [first, ...others],
    full,
    fullAfterGap: full && previous && previous.run !== full.run ? previous : undefined,
    daysToFill: full && opened && daysBetween(opened.date, full.date),
    instructors: [...new Set(records.flatMap(({ instructors }) => instructors))].filter((name) => name !== "STAFF"),
  };
}

/** `6 weeks before instruction`, `on the first day of instruction`. */
export function weekText(week: number): string {
  const days = Math.round(week * 7);
  if (days === 0) return "on the first day of instruction";
  const [size, where] = [Math.abs(days), days < 0 ? "before" : "after"];
  const [number, unit] = size < 14 ? [size, "day"] : [Math.floor(size / 7), "week"];
  return `${number} ${unit}${number === 1 ? "" : "s"} ${where} instruction`;
}

/** The last recorded day up to a week; undefined if the record begins later. */
export const dayAt = ({ days }: FillCurve, week: number): FillDay | undefined =>
  days.findLast((day) => day.week <= week);
