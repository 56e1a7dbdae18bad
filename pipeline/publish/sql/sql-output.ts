/** Rows as text: the formats of `make sql`. */
import { UsageError } from "../../errors.ts";

export const SQL_FORMATS = ["table", "csv", "json", "line"] as const;
export type SqlFormat = (typeof SQL_FORMATS)[number];

/** Reads the name of a format. @throws UsageError for an unknown name */
export function readFormat(format: string): SqlFormat {
  const match = SQL_FORMATS.find((name) => name === format.toLowerCase());
  if (!match) throw new UsageError(`FORMAT must be one of ${SQL_FORMATS.join(", ")}`);
  return match;
}

export interface Column {
  readonly name: string;
  readonly nested: boolean;
  readonly numeric: boolean;
  readonly floating: boolean;
}

type RowBatches = AsyncIterable<readonly (readonly (string | null)[])[]>;

export interface SqlOutput {
  readonly format: SqlFormat;
  /** The width of the terminal that shows a table; otherwise nothing is cut. */
  readonly screen?: number | undefined;
}

/** Yields the rows in a format, in chunks. */
export function rowsText(
  columns: readonly Column[],
  batches: RowBatches,
  { format, screen }: SqlOutput,
): AsyncGenerator<string> {
  if (format === "json") return jsonText(columns, batches);
  if (format === "csv") return csvText(columns, batches);
  return format === "line" ? lineText(columns, batches) : tableText(columns, batches, screen);
}

/**
 * CSV with a header, quoted as in RFC 4180. Lines end with LF, as those of other commands. NULL is empty; an empty text
 * is `""`.
 */
async function* csvText(columns: readonly Column[], batches: RowBatches): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name));
  for await (const batch of batches) yield batch.map(csvLine).join("");
}

const csvLine = (row: readonly (string | null)[]): string => `${row.map(csvValue).join(",")}\n`;

function csvValue(value: string | null): string {
  if (value === null) return "";
  return value === "" || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** An array of objects, one per line. Values are JSON already; a repeated column name gets a number. */
async function* jsonText(columns: readonly Column[], batches: RowBatches): AsyncGenerator<string> {
  const seen = new Map<string, number>();
  const names = columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return JSON.stringify(count === 1 ? name : `${name}_${count}`);
  });
  let separator = "[\n";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    const lines = batch.map(
      (row) => `{${row.map((value, column) => `${names[column]}:${value ?? "null"}`).join(",")}}`,
    );
    yield separator + lines.join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/**
 * Each row as lines `column = value`, with an empty line between rows. Additional lines of a value are below its first.
 */
async function* lineText(columns: readonly Column[], batches: RowBatches): AsyncGenerator<string> {
  const widest = Math.max(...columns.map(({ name }) => name.length));
  const further = `\n${" ".repeat(widest + 3)}`;
  const lines = (row: readonly (string | null)[]) =>
    columns.map(({ name }, column) => {
      const value = (row[column] ?? "NULL").split(/\r\n?|\n/).map((part) => part.replaceAll(/\p{Cc}/gu, " "));
      return `${`${name.padStart(widest)} = ${value.join(further)}`.trimEnd()}\n`;
    });
  let separator = "";
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((row) => lines(row).join("")).join("\n");
    separator = "\n";
  }
  if (separator === "") yield "(0 rows)\n";
}

/** The most rows on a terminal. */
const MOST_ROWS = 200;
/** The number of rows that are held to measure the columns; a wider value further down is not aligned. */
const MEASURED_ROWS = 10_000;
const NARROWEST = 8;
const GAP = 2;

/**
 * Columns of equal width, and a last line with the number of rows. On a terminal, `screen` characters wide, long values
 * and lines are cut, and rows after the first 200 are left out.
 */
export async function* tableText(
  columns: readonly Column[],
  batches: RowBatches,
  screen?: number,
): AsyncGenerator<string> {
  const most = screen === undefined ? Infinity : MOST_ROWS;
  const names = columns.map(({ name }) => shown(name));
  const head: string[][] = [];
  let layout: Layout | undefined;
  const begin = () => {
    layout = layOut(columns, [names, ...head], screen);
    return [names, layout.rule, ...head].map(layout.line).join("");
  };
  let [count, isMore] = [0, false];
  for await (const batch of batches) {
    const rows = batch.slice(0, most - count).map((row) => row.map((value) => shown(value ?? "NULL")));
    count += rows.length;
    if (layout) yield rows.map(layout.line).join("");
    else for (const row of rows) head.push(row);
    if (!layout && count >= MEASURED_ROWS) yield begin();
    isMore = rows.length < batch.length;
    if (isMore) break;
  }
  if (!layout) yield begin();
  const all = "the format line shows everything";
  if (isMore) yield `(the first ${count} rows; the formats csv, json and line give all)\n`;
  else yield `(${count} ${count === 1 ? "row" : "rows"}${layout?.isCut() ? `, cut to the terminal; ${all}` : ""})\n`;
}

interface Layout {
  readonly rule: readonly string[];
  line(values: readonly string[]): string;
  /** True when a line was longer than the screen. */
  isCut(): boolean;
}

function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], screen = Infinity): Layout {
  const wanted = columns.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? "")), 0),
  );
  const most = widestThatFits(wanted, screen);
  const widths = wanted.map((width) => Math.min(width, most));
  let isCut = false;
  const cut = (text: string, width: number) => {
    if (text.length <= width || widthOf(text) <= width) return text;
    isCut = true;
    return `${[...text].slice(0, width - 1).join("")}…`;
  };
  return {
    rule: widths.map((width) => "─".repeat(width)),
    line: (values) => {
      const cells = values.map((value, column) => {
        const text = cut(value, screen === Infinity ? Infinity : (widths[column] ?? 0));
        const blank = " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
        return columns[column]?.numeric ? blank + text : text + blank;
      });
      return `${cut(cells.join(" ".repeat(GAP)).trimEnd(), screen)}\n`;
    },
    isCut: () => isCut,
  };
}

/** The width to which wider columns are cut so that a line fits. */
function widestThatFits(widths: readonly number[], screen: number): number {
  const room = screen - GAP * (widths.length - 1);
  let most = Math.max(...widths);
  if (screen === Infinity) return most;
  while (most > NARROWEST && widths.reduce((sum, width) => sum + Math.min(width, most), 0) > room) most--;
  return most;
}

/** Control characters would break the alignment, or control the terminal. */
const shown = (value: string): string => value.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

const widthOf = (value: string): number => [...value].length;
