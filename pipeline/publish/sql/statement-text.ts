/** Finds the ends of SQL statements, from their text alone. */

export const COMMENT = String.raw`--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)`;
/** Blanks and comments. */
export const GAP = String.raw`(?:\s|${COMMENT})*`;
/** Texts and quoted names. An unclosed one extends to the end. */
export const QUOTED = String.raw`\be'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(?<![\w$])\$(\w*)\$[^]*?(?:\$\1\$|$)`;
/** Semicolons, and the tokens in which they do not count. */
const TOKEN = new RegExp(`${QUOTED}|${COMMENT}|;`, "gi");
const BLANK = new RegExp(`^${GAP}$`);

/** Replaces a text with blanks, so that the text after it keeps its line and column. */
export const blanked = (text: string): string => text.replaceAll(/[^\n]/gu, " ");

/**
 * Splits a text into its statements, without their semicolons, and the text after the last one, which is empty if that
 * is nothing but blanks and comments. Before each statement there are blanks in place of all text before it.
 */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = [];
  let [start, leading] = [0, ""];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token !== ";") continue;
    const statement = text.slice(start, index);
    if (!BLANK.test(statement)) statements.push(leading + statement);
    leading += blanked(`${statement};`);
    start = index + 1;
  }
  const rest = text.slice(start);
  return { statements, rest: BLANK.test(rest) ? "" : leading + rest };
}

/** The statement on a single line for the history; undefined if a line break is part of a text. */
export function onOneLine(statement: string): string | undefined {
  const line = statement
    .trim()
    .replaceAll(/--([^\n]*)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\s+/g, (token, comment?: string) =>
      comment === undefined ? (token.trim() === "" ? " " : token) : `/*${comment.replaceAll("*/", "")}*/`,
    );
  return line.includes("\n") ? undefined : line;
}
