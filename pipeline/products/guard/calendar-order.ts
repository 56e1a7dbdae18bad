/** Dates of terms that cannot be meant: columns that changed places, a year that is wrong. */
import type { TermDates } from "../../contract/rows/calendar.ts";
import { compareTerms, termName } from "../../contract/vocabulary.ts";

/** What is wrong with a term's dates, by its name; a term that begins before an earlier one of its year is named with that one. */
export function outOfOrder(terms: readonly TermDates[]): Map<string, string> {
  const found = new Map<string, string>();
  const inOrder = terms.toSorted(compareTerms);
  for (const [i, term] of inOrder.entries()) {
    const { instructionStart, instructionEnd, finalsStart, finalsEnd } = term;
    if (instructionStart > instructionEnd || finalsStart < instructionEnd || finalsStart > finalsEnd)
      found.set(
        termName(term),
        `${termName(term)} has dates out of order: instruction ${instructionStart} to ${instructionEnd}, finals ${finalsStart} to ${finalsEnd}`,
      );
    const before = inOrder[i - 1];
    if (before?.year !== term.year || before.instructionStart <= instructionStart) continue;
    const text = `${termName(term)} would begin on ${instructionStart}, before ${termName(before)} on ${before.instructionStart}`;
    for (const one of [before, term]) found.set(termName(one), found.get(termName(one)) ?? text);
  }
  return found;
}
