/** Reads an SQL statement as far as needed to know which tables, columns and partitions it uses. */

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g;

/** Tokens in lower case; strings keep their quotes, quoted names lose them, comments are dropped. */
export const tokenize = (statement: string): string[] =>
  (statement.match(TOKEN) ?? [])
    .filter((word) => !word.startsWith("--") && !word.startsWith("/*"))
    .map((word) => {
      if (word.startsWith("'")) return word;
      return (word.startsWith('"') ? word.slice(1, -1) : word).toLowerCase();
    });

const numberOf = (words: readonly string[], wanted: string) => words.filter((word) => word === wanted).length;

const CLAUSES = ["select", "from", "where", "group", "order", "having", "limit", "on", "using", "qualify", "window"];
const BEFORE_TABLE = ["from", "join", "describe", "summarize", "table", "pivot", "unpivot"];

/** Names in table position, in order; aliases and columns do not count. */
export function tablesIn(words: readonly string[]): string[] {
  const matches: string[] = [];
  // The clause of every open parenthesis.
  const clauses = [""];
  for (const [i, word] of words.entries()) {
    const [previous = "", clause] = [words[i - 1], clauses.at(-1)];
    if (word === "(") clauses.push(clause === "from" && /^(from|join|,|\()$/.test(previous) ? "from" : "");
    else if (word === ")") clauses.pop();
    else if (CLAUSES.includes(word)) clauses[clauses.length - 1] = word;
    else if (BEFORE_TABLE.includes(previous) || (clause === "from" && (previous === "," || previous === "(")))
      matches.push(word);
  }
  return matches;
}

/** With one of these the columns cannot be read from the statement. */
const ALL_COLUMNS = ["describe", "summarize", "columns", "using", "natural", "pivot", "unpivot", "show", "asof"];
const BEFORE_STAR = ["select", "distinct", "all", ",", "."];

/** True for `select *`, `t.*`, `from t`, …; false for `count(*)` and products. */
export function wantsAllColumns(words: readonly string[]): boolean {
  if (ALL_COLUMNS.some((word) => words.includes(word))) return true;
  if (numberOf(words, "from") > numberOf(words, "select")) return true;
  return words.some((word, i) => {
    if (word !== "*") return false;
    const previous = words[i - 1] ?? "";
    return previous === "(" ? words[i - 2] !== "count" : BEFORE_STAR.includes(previous);
  });
}

/** With one of these a condition may not hold for every row. */
const NOT_PLAIN = ["or", "not", "union", "except", "intersect", "join", "with", "case", "!"];
const AFTER_WHERE = ["group", "order", "having", "limit", "qualify", "window", "offset", ";"];

/**
 * Returns the values that a plain `where … and <column> = '…'` or `in (…)` allows; undefined = all. Reads only the
 * simplest statements: one table, one select, conditions joined by `and`.
 */
export function valuesOf(words: readonly string[], column: string): string[] | undefined {
  const isPlain =
    numberOf(words, "select") <= 1 && numberOf(words, "from") === 1 && !NOT_PLAIN.some((word) => words.includes(word));
  const where = words.indexOf("where");
  if (!isPlain || where < 0) return undefined;
  const rest = words.slice(where);
  const end = rest.findIndex((word) => AFTER_WHERE.includes(word));
  const conditions = end < 0 ? rest : rest.slice(0, end);
  let depth = 0;
  for (const [i, word] of conditions.entries()) {
    if (word === "(") depth++;
    if (word === ")") depth--;
    if (depth !== 0 || word !== column) continue;
    const start = conditions[i - 1] === "." ? i - 2 : i;
    if (!["where", "and"].includes(conditions[start - 1] ?? "")) continue;
    const matches = readValues(conditions.slice(i + 1));
    if (matches) return matches;
  }
  return undefined;
}

function readValues([sign, first, ...rest]: readonly string[]): string[] | undefined {
  const ends = (word: string | undefined) => word === undefined || word === "and";
  if (sign === "=" && ends(rest[0])) return literals([first ?? ""]);
  if (sign !== "in" || first !== "(") return undefined;
  const close = rest.indexOf(")");
  return close > 0 && ends(rest[close + 1]) ? literals(rest.slice(0, close).filter((word) => word !== ",")) : undefined;
}

/** `'2024'` and `2024` → `2024`; undefined when a word is something else. */
function literals(words: readonly string[]): string[] | undefined {
  const values = words.map((word) => /^(?:'([\w-]+)'|(\d{4}))$/.exec(word)?.slice(1).find(Boolean) ?? "");
  return values.includes("") ? undefined : values;
}
