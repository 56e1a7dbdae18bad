/** The examples for other programs that the READMEs print. */

const LANGUAGES = ["python", "sql", "r", "js"] as const;

export interface Example {
  readonly language: (typeof LANGUAGES)[number];
  /** The first line, a comment that names the system. */
  readonly title: string;
  readonly text: string;
}

const FENCED = new RegExp(`^\`\`\`(${LANGUAGES.join("|")})\\n(?:#|--|//) ([^\\n]+)\\n([^]*?)^\`\`\`$`, "gm");

/** Those that a text marks as not run here are left out. */
export function examplesIn(text: string): Example[] {
  return [...text.matchAll(FENCED)]
    .map(([, language, title = "", text = ""]) => ({ language: language as Example["language"], title, text }))
    .filter(({ title }) => !title.includes("(not run here"));
}
