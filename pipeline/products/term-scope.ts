/** Which terms still change: a term is over when its finals have ended. */
import type { TermDates } from "../contract/calendar.ts";
import type { Quarter, Term } from "../contract/vocabulary.ts";

/** The latest last day of finals in twelve years (month and day), for a term of which the calendar says nothing. */
const LATEST_END: Readonly<Record<Quarter, string>> = {
  Winter: "03-28",
  Spring: "06-20",
  Summer1: "08-05",
  Summer10wk: "09-08",
  Summer2: "09-18",
  Fall: "12-20",
};

/** Whether `today` (YYYY-MM-DD, campus) is after the last day of the term's finals. */
export function isOver(term: Term, calendar: readonly TermDates[], today: string): boolean {
  const dates = calendar.find(({ year, quarter }) => year === term.year && quarter === term.quarter);
  return (dates?.finalsEnd ?? `${term.year}-${LATEST_END[term.quarter]}`) < today;
}
