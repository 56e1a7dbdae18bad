/**
 * The terms that the schedule's form offers on a day: from 2014 Summer 1 to the announced ones, at least one in the
 * future.
 */
import { compareTerms, FIRST_TERM, QUARTERS, type Term } from "../../contract/vocabulary.ts";
import { campusTerm, type CampusTerm } from "../sections/term-calendar.ts";

/** Oldest first. */
export function offeredTerms(today: number): CampusTerm[] {
  const offered: CampusTerm[] = [];
  for (const term of termsFrom(FIRST_TERM)) {
    const next = campusTerm(term);
    const last = offered.at(-1);
    if (next.announcedOn > today && last !== undefined && last.instructionStart > today) return offered;
    offered.push(next);
  }
  return offered;
}

/** All terms from `first` on, without end. */
function* termsFrom(first: Term): Generator<Term> {
  for (let year = Number(first.year); ; year++) {
    for (const quarter of QUARTERS) {
      const term = { year: String(year), quarter };
      if (compareTerms(term, first) >= 0) yield term;
    }
  }
}
