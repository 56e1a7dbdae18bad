/**
 * Handles PIVOT … ON without the values that become columns. DuckDB turns it into several statements and does not
 * report their tables and functions, so each list of values gets a name, and with these the statement is a single
 * SELECT.
 */
import { COMMENT, QUOTED } from "./statement-text.ts";

interface Token {
  /** The token in lower case. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The number of open brackets around it. */
  readonly depth: number;
}

export interface NamedValues {
  readonly name: string;
  /** The query for the values; undefined: the distinct values in the data. */
  readonly query?: string;
}

const TOKEN = new RegExp(String.raw`${QUOTED}|${COMMENT}|[\p{L}_][\p{L}\p{N}_$]*|\S`, "giu");
const END_OF_QUERY = new Set(["union", "intersect", "except", ";"]);
const END_OF_COLUMNS = new Set(["using", "group", "order", "limit", "offset"]);
/** Lists beyond this number get no names, and DuckDB refuses the statement. */
const MOST_PIVOTS = 100;
const QUERY = new Set(["select", "from", "with", "values", "pivot", "unpivot", "table"]);

function tokensOf(sql: string): Token[] {
  let depth = 0;
  const tokens: Token[] = [];
  for (const { 0: text, index } of sql.matchAll(TOKEN)) {
    if (text.startsWith("--") || text.startsWith("/*")) continue;
    if (")]}".includes(text)) depth--;
    tokens.push({ text: text.toLowerCase(), start: index, end: index + text.length, depth });
    if ("([{".includes(text)) depth++;
  }
  return tokens;
}

/** The tokens after `index`, up to the end of its brackets or of its query. */
function restOf(tokens: readonly Token[], index: number): readonly Token[] {
  const depth = tokens[index]?.depth ?? 0;
  const end = tokens.findIndex(
    (token, i) => i > index && (token.depth < depth || (token.depth === depth && END_OF_QUERY.has(token.text))),
  );
  return tokens.slice(index + 1, end < 0 ? undefined : end);
}

/** The columns of `PIVOT … ON a, b`; none for `t PIVOT (… FOR a IN …)`. */
function columnsOf(tokens: readonly Token[], index: number): Token[][] {
  const depth = tokens[index]?.depth ?? 0;
  const rest = restOf(tokens, index);
  const closed = rest.findIndex((token) => token.depth === depth && token.text === ")");
  const isBehindTable = rest.slice(0, closed + 1).some((token) => token.depth === depth + 1 && token.text === "for");
  const on = rest.findLastIndex((token) => token.depth === depth && token.text === "on");
  if (on < 0 || (rest[0]?.text === "(" && isBehindTable)) return [];
  const columns: Token[][] = [[]];
  for (const token of rest.slice(on + 1)) {
    if (token.depth === depth && END_OF_COLUMNS.has(token.text)) break;
    if (token.depth === depth && token.text === ",") columns.push([]);
    else columns.at(-1)?.push(token);
  }
  return columns;
}

/** The position for a column's list of values, and its query; undefined when the list is written. */
function valuesOf(sql: string, column: readonly Token[], depth: number) {
  const last = column.at(-1);
  if (!last) return undefined;
  const inIndex = column.findIndex((token) => token.depth === depth && token.text === "in");
  if (inIndex < 0) return { start: last.end, end: last.end };
  const [open, first] = column.slice(inIndex + 1);
  if (open?.text !== "(" || !QUERY.has(first?.text ?? "")) return undefined;
  return { start: column[inIndex - 1]?.end ?? 0, end: last.end, query: sql.slice(open.end, last.start) };
}

/** Inserts a name for each missing list of values. */
export function nameValues(sql: string): { readonly text: string; readonly named: readonly NamedValues[] } {
  const tokens = tokensOf(sql);
  const pivots = tokens.flatMap(({ text }, index) => (text === "pivot" || text === "pivot_wider" ? [index] : []));
  const places = pivots
    .slice(0, MOST_PIVOTS)
    .flatMap((index) =>
      columnsOf(tokens, index).flatMap((column) => valuesOf(sql, column, tokens[index]?.depth ?? 0) ?? []),
    );
  let [text, end, covered] = ["", 0, 0];
  const named = places
    .toSorted((a, b) => a.start - b.start)
    // A PIVOT inside a query for values belongs to that query.
    .filter((place) => {
      const isOwn = place.start < covered;
      covered = Math.max(covered, place.end);
      return !isOwn;
    })
    .map((place, i) => {
      const name = `pivot_values_${i + 1}`;
      text += `${sql.slice(end, place.start)} IN ${name}`;
      end = place.end;
      return "query" in place ? { name, query: place.query } : { name };
    });
  return { text: text + sql.slice(end), named };
}
