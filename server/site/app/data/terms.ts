/** Terms such as `2026 Fall`: those that are published, and the one that the address chooses. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso";
import { termIn } from "./addresses.ts";
import { termTitle } from "./term-names.ts";
import type { TermDates } from "../../../../pipeline/contract/rows/calendar.ts";

/** The part of the JSON of `/` that views need. */
export interface SiteIndex {
  readonly snapshot: {
    readonly id: string;
    readonly createdAt: string;
    /** The number of terms that a first build has yet to add; null when it is complete. */
    readonly olderTerms: number | null;
    /** When the refresh was due that did not come. */
    readonly overdueSince: string | null;
    /** Parts of which a newer version was refused, and since when they are stale. */
    readonly withheld: readonly {
      readonly table: string;
      readonly year?: string;
      readonly quarter?: string;
      readonly since: string;
    }[];
    readonly sample: boolean;
    /** Terms with sections, newest first. */
    readonly terms: readonly string[];
    /** The term that students are choosing classes for: the default of every view. */
    readonly term: string | null;
    readonly calendar: readonly TermDates[];
  } | null;
  /** Why nothing is known. */
  readonly problem?: string;
}

export const SiteContext = createContext<SiteIndex>({ snapshot: null });

export const publishedTerms = (site: SiteIndex): readonly string[] => site.snapshot?.terms ?? [];

export const datesOf = ({ snapshot }: SiteIndex, term: string): TermDates | undefined =>
  snapshot?.calendar.find(({ year, quarter }) => `${year} ${quarter}` === term);

const CAMPUS_DAY = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });
/** `YYYY-MM-DD` on campus. */
export const campusToday = (now = new Date()): string => CAMPUS_DAY.format(now);

/** Published terms that are not over by the calendar, soonest first. */
export const termsNotOver = (site: SiteIndex, today = campusToday()): string[] =>
  publishedTerms(site)
    .flatMap((term) => {
      const dates = datesOf(site, term);
      return dates && dates.finalsEnd >= today ? [{ term, begins: dates.instructionStart }] : [];
    })
    .sort((a, b) => a.begins.localeCompare(b.begins))
    .map(({ term }) => term);

/** In session or in finals; several in summer, none in a break. */
export const runningTerms = ({ snapshot }: SiteIndex, today = campusToday()): TermDates[] =>
  (snapshot?.calendar ?? []).filter((dates) => dates.instructionStart <= today && today <= dates.finalsEnd);

export interface CalendarEntry {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly what: string;
}

/** Lists the calendar's coming days in order. The term is not named if it is the only one in session. */
export function comingDates(site: SiteIndex, today = campusToday()): CalendarEntry[] {
  const running = runningTerms(site, today);
  return (site.snapshot?.calendar ?? [])
    .flatMap((dates) => {
      const name = termTitle(`${dates.year} ${dates.quarter}`);
      const of = running.length === 1 && running[0] === dates ? "" : `, ${name}`;
      return [
        { date: dates.instructionStart, what: `${name} begins` },
        { date: dates.instructionEnd, what: `Instruction ends${of}` },
        { date: dates.finalsStart, what: `Finals begin${of}` },
        { date: dates.finalsEnd, what: `Finals end${of}` },
      ];
    })
    .filter(({ date }) => date >= today)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** The term of the address, else the default. */
export function useTerm(): string {
  const site = useContext(SiteContext);
  useLocation();
  const chosen = termIn(globalThis.location) ?? "";
  return publishedTerms(site).includes(chosen) ? chosen : (site.snapshot?.term ?? "");
}
