/** The order of terms in time, and ranges of them. */
import { termQuery } from "./term-names.ts";

/** The order of a calendar year; summer sessions come after spring. */
const QUARTERS = ["Winter", "Spring", "Summer1", "Summer10wk", "Summer2", "Fall"];

/** A number by which terms ascend in time; of a year alone, before its terms. */
export function termOrder(term: string): number {
  const { year, quarter } = termQuery(term);
  return Number(year) * 10 + QUARTERS.indexOf(quarter);
}

/** `78: 2014 Summer1 to 2027 Spring`, for terms or years in any order; a name that occurs again counts once. */
export function termRange(names: readonly string[]): string {
  const terms = [...new Set(names)].toSorted((a, b) => termOrder(a) - termOrder(b));
  const [first, last] = [terms[0], terms.at(-1)];
  if (first === undefined || last === undefined) return "";
  return first === last ? first : `${terms.length}: ${first} to ${last}`;
}
