/** Terms that have not begun. */
import { type SiteIndex, campusToday, datesOf, publishedTerms, termsNotOver } from "./terms.ts";

/**
 * Returns the published terms whose instruction has not begun, soonest first. A term without dates counts if it is
 * newer than the first term that is not over.
 */
export function termsAhead(site: SiteIndex, today = campusToday()): string[] {
  const terms = publishedTerms(site);
  const first = terms.indexOf(termsNotOver(site, today)[0] ?? site.snapshot?.term ?? "");
  return terms
    .filter((term, i) => {
      const begins = datesOf(site, term)?.instructionStart;
      return begins === undefined ? i < first : begins > today;
    })
    .toReversed();
}
