/** The term that pages, search and assistants use where none is named. */
import { campusToday } from "../../pipeline/contract/campus-time.ts";
import type { CalendarDate, TermDates } from "../../pipeline/contract/rows/calendar.ts";
import { type Term, termName } from "../../pipeline/contract/vocabulary.ts";
import { BASE } from "../response/endpoint.ts";
import type { Store } from "../snapshot/store.ts";
import { oncePerSnapshot } from "./content.ts";

/** Resolves to a term such as `2026 Fall`; undefined when no schedule is published. */
export type CurrentTerm = () => Promise<string | undefined>;

/**
 * Reads the calendar once per snapshot. Without it, the newest term is chosen, and the next call tries again.
 * @param request returns the response of the plain service to a GET
 */
export function createCurrentTerm(
  { current }: Pick<Store, "current">,
  request: (path: string) => Promise<Response>,
): CurrentTerm {
  const calendarOf = oncePerSnapshot(async () => {
    const response = await request(`${BASE}/calendar`);
    if (!response.ok) throw new Error(`the calendar has status ${response.status}`);
    return (await response.json()) as readonly CalendarTerm[];
  });
  return async () => {
    const snapshot = current();
    if (!snapshot) return undefined;
    const calendar = await calendarOf(snapshot.id, "").catch(() => []);
    return defaultTerm(campusToday(new Date()), snapshot.publishedTerms.map(termName), calendar);
  };
}

/** A term of `/calendar`. Its days are null where only other dates are known. */
export type CalendarTerm = Readonly<Record<keyof Term, string>> & {
  readonly [K in Exclude<keyof TermDates, keyof Term>]: string | null;
} & { readonly dates: readonly Omit<CalendarDate, keyof TermDates>[] };

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
