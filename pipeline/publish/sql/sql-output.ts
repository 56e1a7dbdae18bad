/** Rows as text: the formats of `make sql`. */
import { UsageError } from "../../errors.ts";
import { type Column, type RowBatches, tableText } from "./table-text.ts";

export const SQL_FORMATS = ["table", "csv", "json", "line"] as const;
export type SqlFormat = (typeof SQL_FORMATS)[number];

/** Reads the name of a format. @throws UsageError for an unknown name */
export function readFormat(format: string): SqlFormat {
  const match = SQL_FORMATS.find((name) => name === format.toLowerCase());
  if (!match) throw new UsageError(`FORMAT must be one of ${SQL_FORMATS.join(", ")}`);
  return match;
}

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
