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
