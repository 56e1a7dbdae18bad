/** When a course is usually offered, told from the terms in which it was. */
import { termQuery } from "./term-names.ts";

export const SEASONS = ["Fall", "Winter", "Spring", "Summer"] as const;
export type Season = (typeof SEASONS)[number];

/** All summer sessions are one season. */
const seasonOf = (term: string): string => termQuery(term).quarter.replace(/^Summer.*/, "Summer");

/** Newest years of a season that are looked at. */
const YEARS = 4;

/** Seasons in which it was taught in at least half of the last four years that are published. */
export function usualQuarters(taught: readonly string[], published: readonly string[]): Season[] {
  return SEASONS.filter((season) => {
    const yearsOf = (terms: readonly string[]) =>
      new Set(terms.filter((term) => seasonOf(term) === season).map((term) => termQuery(term).year));
    const recent = [...yearsOf(published)].sort().slice(-YEARS);
    const taughtYears = yearsOf(taught);
    return recent.length > 0 && recent.filter((year) => taughtYears.has(year)).length * 2 >= recent.length;
  });
}
