/** The examples for other engines that a README prints. */

export interface Example {
  readonly language: "python" | "sql";
  /** The first line, a comment that names the system. */
  readonly title: string;
  readonly text: string;
}

/** Those that a text marks as not run here, and DuckDB's SQL, which the tests run, are left out. */
export function examplesIn(readme: string): Example[] {
  return [...readme.matchAll(/^```(python|sql)\n(?:#|--) ([^\n]+)\n([^]*?)^```$/gm)]
    .map(([, language, title = "", text = ""]) => ({ language: language as Example["language"], title, text }))
    .filter(
      ({ language, title }) => !title.includes("(not run here") && !(language === "sql" && title.startsWith("DuckDB")),
    );
}
