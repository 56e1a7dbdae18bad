/** Where SQL statements end, read from their text alone. */

export const COMMENT = String.raw`--[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)`;
/** Blanks and comments. */
export const GAP = String.raw`(?:\s|${COMMENT})*`;
/** Texts and quoted names. What is not closed goes on to the end. */
export const QUOTED = String.raw`\be'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(?<![\w$])\$(\w*)\$[^]*?(?:\$\1\$|$)`;
/** Semicolons, and what they do not count in. */
const TOKEN = new RegExp(`${QUOTED}|${COMMENT}|;`, "gi");
const BLANK = new RegExp(`^${GAP}$`);

/** Blanks in the place of a text, so that what follows keeps its line and column. */
export const blanked = (text: string): string => text.replaceAll(/[^\n]/gu, " ");

/**
 * The statements of a text that end with a semicolon, without it, and what follows them, empty if that is nothing but blanks and comments. Before each
 * statement stand blanks in the place of all text before it.
 */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = [];
  let [start, before] = [0, ""];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token !== ";") continue;
    const statement = text.slice(start, index);
    if (!BLANK.test(statement)) statements.push(before + statement);
    before += blanked(`${statement};`);
    start = index + 1;
  }
  const rest = text.slice(start);
  return { statements, rest: BLANK.test(rest) ? "" : before + rest };
}

/** One line for the history; undefined where a line break belongs to a text. */
export function onOneLine(statement: string): string | undefined {
  const line = statement
    .trim()
    .replaceAll(/--([^\n]*)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\s+/g, (token, comment?: string) =>
      comment === undefined ? (token.trim() === "" ? " " : token) : `/*${comment.replaceAll("*/", "")}*/`,
    );
  return line.includes("\n") ? undefined : line;
}
