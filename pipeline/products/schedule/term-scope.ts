/** A term changes until its finals have ended. */
import type { TermDates } from "../../contract/rows/calendar.ts";
import type { Quarter, Term } from "../../contract/vocabulary.ts";

/** The latest last day of finals in twelve years (month and day), for terms that are not in the calendar. */
const LATEST_END: Readonly<Record<Quarter, string>> = {
  Winter: "03-28",
  Spring: "06-20",
  Summer1: "08-05",
  Summer10wk: "09-08",
  Summer2: "09-18",
  Fall: "12-20",
};

/** `today` is a campus day, YYYY-MM-DD. */
export function isOver(term: Term, calendar: readonly TermDates[], today: string): boolean {
  const dates = calendar.find(({ year, quarter }) => year === term.year && quarter === term.quarter);
  return (dates?.finalsEnd ?? `${term.year}-${LATEST_END[term.quarter]}`) < today;
}
