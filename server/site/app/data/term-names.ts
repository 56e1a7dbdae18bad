/** Terms as addresses, titles and the API name them: `2026 Fall`. */

export function termQuery(term: string): { year: string; quarter: string } {
  const [year = "", quarter = ""] = term.split(" ");
  return { year, quarter };
}

const QUARTER_NAMES: Readonly<Record<string, string>> = {
  Summer1: "Summer Session 1",
  Summer2: "Summer Session 2",
  Summer10wk: "10-week Summer",
};

/** `2026 Fall` → `Fall 2026`. */
export function termTitle(term: string): string {
  const { year, quarter } = termQuery(term);
  return `${QUARTER_NAMES[quarter] ?? quarter} ${year}`;
}

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
