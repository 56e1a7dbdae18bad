/** Chooses the term that pages, search and assistants use where none is named. */
import type { CalendarDate, TermDates } from "../../pipeline/contract/rows/calendar.ts";

/** A term of `/calendar`. Its days are null where only other dates are known. */
export interface CalendarTerm {
  readonly year: string;
  readonly quarter: string;
  readonly instructionStart: string | null;
  readonly instructionEnd: string | null;
  readonly finalsStart: string | null;
  readonly finalsEnd: string | null;
  readonly dates: readonly Omit<CalendarDate, keyof TermDates>[];
}

/** Students still change their classes during the first two weeks of instruction. */
const ADDING_DAYS = 14;

function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the first day of enrollment; undefined when the calendar does not have it. */
function enrollmentStart({ dates }: CalendarTerm): string | undefined {
  const days = dates.flatMap(({ kind, firstDay }) => (kind === "enrollment" && firstDay !== null ? [firstDay] : []));
  return days.sort()[0];
}

/**
 * Returns the newest published term whose enrollment has begun and that is not past its first two weeks, else the term
 * in session or in finals, else the next to begin, else the newest.
 * @param today `YYYY-MM-DD` on campus
 * @param published terms with a schedule, such as `2026 Fall`, newest first
 */
export function defaultTerm(
  today: string,
  published: readonly string[],
  calendar: readonly CalendarTerm[],
): string | undefined {
  const terms = calendar
    .flatMap((dates) => {
      const { year, quarter, instructionStart: begins, finalsEnd: ends } = dates;
      if (begins === null || ends === null) return [];
      return [{ name: `${year} ${quarter}`, begins, ends, enrolls: enrollmentStart(dates) }];
    })
    .filter(({ name }) => published.includes(name))
    .sort((a, b) => a.begins.localeCompare(b.begins));
  const enrolling = terms.findLast(
    ({ begins, enrolls }) => enrolls !== undefined && enrolls <= today && today < addDays(begins, ADDING_DAYS),
  );
  return (enrolling ?? terms.find(({ ends }) => today <= ends))?.name ?? published[0];
}
