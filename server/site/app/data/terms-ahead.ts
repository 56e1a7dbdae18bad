/** Terms that have not begun. */
import { type SiteIndex, campusToday, datesOf, defaultTerm, publishedTerms } from "./terms.ts";

/** Published terms whose instruction has not begun, soonest first; without their dates, those that are newer than the site's term. */
export function termsAhead(site: SiteIndex, today = campusToday()): string[] {
  const terms = publishedTerms(site);
  const current = terms.indexOf(defaultTerm(site, today) ?? "");
  return terms
    .filter((term, i) => {
      const begins = datesOf(site, term)?.instructionStart;
      return begins === undefined ? i < current : begins > today;
    })
    .toReversed();
}
