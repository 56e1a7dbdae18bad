/** The examples for other programs that the READMEs print. */

export interface Example {
  readonly language: "python" | "sql" | "r" | "js";
  /** The first line, a comment that names the system. */
  readonly title: string;
  readonly text: string;
}

/** The examples of a text, except those that it marks as not run here. */
export function examplesIn(text: string): Example[] {
  return [...text.matchAll(/^```(python|sql|r|js)\n(?:#|--|\/\/) ([^\n]+)\n([^]*?)^```$/gm)]
    .map(([, language, title = "", text = ""]) => ({ language: language as Example["language"], title, text }))
    .filter(({ title }) => !title.includes("(not run here"));
}
