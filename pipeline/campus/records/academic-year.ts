/** Names of terms at the records office. */
import type { CampusTerm } from "../sections/term-calendar.ts";

/** An academic year begins with its summer. */
export function academicYearOf({ year, quarter }: CampusTerm): number {
  return Number(year) - (quarter === "Winter" || quarter === "Spring" ? 1 : 0);
}

/** `2015-16` */
export function academicYear(term: CampusTerm): string {
  const first = academicYearOf(term);
  return `${first}-${String((first + 1) % 100).padStart(2, "0")}`;
}

export const academicTerm = ({ quarter, summer }: CampusTerm): string => (summer ? "Summer" : quarter);
