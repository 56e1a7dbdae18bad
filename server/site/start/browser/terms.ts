/** Terms such as `2026 Fall`. */

/** The published terms, newest first. */
export const publishedTerms = (): string[] =>
  (document.body.dataset["terms"] ?? "").split(",").filter((term) => term !== "");

export function termQuery(term: string): { year: string; quarter: string } {
  const [year = "", quarter = ""] = term.split(" ");
  return { year, quarter };
}
