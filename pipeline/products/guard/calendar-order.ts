/** Term dates that cannot be right: swapped columns, a wrong year. */
import type { TermDates } from "../../contract/rows/calendar.ts";
import { compareTerms, termName } from "../../contract/vocabulary.ts";

/**
 * The problems of terms' dates, by term name; a term that begins before an earlier term of its year is listed together
 * with it.
 */
export function outOfOrder(terms: readonly TermDates[]): Map<string, string> {
  const problems = new Map<string, string>();
  const inOrder = terms.toSorted(compareTerms);
  for (const [i, term] of inOrder.entries()) {
    const { instructionStart, instructionEnd, finalsStart, finalsEnd } = term;
    if (instructionStart > instructionEnd || finalsStart < instructionEnd || finalsStart > finalsEnd)
      problems.set(
        termName(term),
        `${termName(term)} has dates out of order: instruction ${instructionStart} to ${instructionEnd}, finals ${finalsStart} to ${finalsEnd}`,
      );
    const previous = inOrder[i - 1];
    if (previous?.year !== term.year || previous.instructionStart <= instructionStart) continue;
    const text = `${termName(term)} would begin on ${instructionStart}, before ${termName(previous)} on ${previous.instructionStart}`;
    for (const misplaced of [previous, term])
      problems.set(termName(misplaced), problems.get(termName(misplaced)) ?? text);
  }
  return problems;
}
