/** Which tables, columns and files a statement needs: what it does not name is not fetched. */

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g;

/** The statement's words in lower case; strings keep their quotes, quoted names lose them, comments go. */
export function readTokens(statement) {
  return (statement.match(TOKEN) ?? [])
    .filter((token) => !token.startsWith("--") && !token.startsWith("/*"))
    .map((token) => {
      if (token.startsWith("'")) return token;
      return (token.startsWith('"') ? token.slice(1, -1) : token).toLowerCase();
    });
}

const numberOf = (tokens, word) => tokens.filter((token) => token === word).length;

/** Words after which the columns cannot be told from the statement. */
const ALL_COLUMNS = ["describe", "summarize", "columns", "using", "natural", "pivot", "unpivot", "show", "asof"];

/** True when every column may be meant: `select *`, `t.*`, `from t`, …; `count(*)` and a product are none of these. */
function wantsAll(tokens) {
  if (ALL_COLUMNS.some((word) => tokens.includes(word))) return true;
  if (numberOf(tokens, "from") > numberOf(tokens, "select")) return true;
  return tokens.some((token, i) => {
    if (token !== "*") return false;
    const before = tokens[i - 1];
    if (before === "(") return tokens[i - 2] !== "count";
    return ["select", "distinct", "all", ",", "."].includes(before);
  });
}

/** What the published files are parted by. */
const PARTED_BY = ["year", "quarter", "month"];

/** With one of these words a condition on the year need not hold for every row. */
const NOT_PLAIN = ["or", "not", "union", "except", "intersect", "join", "with", "case", "!"];
const AFTER_WHERE = ["group", "order", "having", "limit", "qualify", "window", "offset", ";"];

const literal = (token) =>
  /^'[\w-]+'$/.test(token ?? "") ? token.slice(1, -1) : /^\d{4}$/.test(token ?? "") ? token : undefined;

/**
 * The values that a plain `where … and <column> = '…'` or `in (…)` leaves; undefined = all. Only the simplest statements are read so: one table, one
 * select, conditions joined by `and`. In all others every file counts.
 */
export function valuesOf(tokens, column) {
  const isPlain =
    numberOf(tokens, "select") === 1 &&
    numberOf(tokens, "from") === 1 &&
    !NOT_PLAIN.some((word) => tokens.includes(word));
  const where = tokens.indexOf("where");
  if (!isPlain || where < 0) return undefined;
  const rest = tokens.slice(where);
  const end = rest.findIndex((token) => AFTER_WHERE.includes(token));
  const conditions = end < 0 ? rest : rest.slice(0, end);
  let depth = 0;
  for (const [i, token] of conditions.entries()) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (depth !== 0 || token !== column) continue;
    const start = conditions[i - 1] === "." ? i - 2 : i;
    if (!["where", "and"].includes(conditions[start - 1])) continue;
    const found = readValues(conditions.slice(i + 1));
    if (found) return found;
  }
  return undefined;
}

function readValues([sign, first, ...rest]) {
  const ends = (token) => token === undefined || token === "and";
  if (sign === "=" && literal(first) !== undefined && ends(rest[0])) return [literal(first)];
  if (sign !== "in" || first !== "(") return undefined;
  const close = rest.indexOf(")");
  const values = rest
    .slice(0, close)
    .filter((token) => token !== ",")
    .map(literal);
  return close > 0 && ends(rest[close + 1]) && !values.includes(undefined) ? values : undefined;
}

const CLAUSES = ["select", "from", "where", "group", "order", "having", "limit", "on", "using", "qualify", "window"];
const BEFORE_TABLE = ["from", "join", "describe", "summarize", "table"];

/** The names that stand where a table stands, in order; an alias or a column of the same name is none. */
export function tablesIn(tokens) {
  const found = [];
  // The clause of every open parenthesis.
  const clauses = [""];
  for (const [i, token] of tokens.entries()) {
    const [before, clause] = [tokens[i - 1], clauses.at(-1)];
    if (token === "(") clauses.push(clause === "from" && /^(from|join|,|\()$/.test(before) ? "from" : "");
    else if (token === ")") clauses.pop();
    else if (CLAUSES.includes(token)) clauses[clauses.length - 1] = token;
    else if (BEFORE_TABLE.includes(before) || (clause === "from" && (before === "," || before === "(")))
      found.push(token);
  }
  return found;
}

/**
 * `manifest`: what `/v1/data/manifest.json` says. Returns [{ name, columns, files, bytes, rows }]; `allColumns` reads every column, for a statement
 * that did not work without.
 */
export function planStatement(statement, manifest, allColumns = false) {
  const tokens = readTokens(statement);
  const mentioned = tablesIn(tokens);
  const named = Object.entries(manifest.tables).filter(([name]) => mentioned.includes(name));
  const everything = allColumns || wantsAll(tokens);
  return named.map(([name, { columns, files }]) => {
    const asked = columns.filter((column) => everything || tokens.includes(column.name.toLowerCase()));
    const isAlone = mentioned.length === 1;
    const wanted = isAlone ? PARTED_BY.map((column) => [column, valuesOf(tokens, column)]) : [];
    const left = files.filter(({ partition }) =>
      wanted.every(([column, values]) => !values || !partition[column] || values.includes(partition[column])),
    );
    return {
      name,
      columns: asked.length > 0 ? asked : columns.slice(0, 1),
      files: left,
      bytes: left.reduce((total, { bytes }) => total + bytes, 0),
      rows: left.reduce((total, { rows }) => total + rows, 0),
    };
  });
}
