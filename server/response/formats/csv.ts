/**
 * CSV by RFC 4180, UTF-8, with a line of names. An object of fixed parts has a column for each (`finalExam.month`); lists, and objects with other keys from
 * row to row, are JSON text; null is an empty field.
 */
import { z } from "zod";
import type { Layout } from "./layout.ts";
import { readRows } from "./rows.ts";
import type { Pieces, Row } from "./scan.ts";

/** Where a column's value stands in a row. */
type Path = readonly string[];

export async function* toCsv(pieces: Pieces, layout: Layout): AsyncGenerator<Buffer> {
  const columns = csvColumns(layout.columns);
  yield Buffer.from(toLine(columns.map((path) => path.join("."))));
  for await (const rows of readRows(pieces, layout))
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => toLine(columns.map((path) => valueAt(row, path)))).join(""));
}

/** The columns of a row, those of objects inside it after each other. */
export function csvColumns(shape: z.ZodRawShape, above: Path = []): Path[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
    return inner instanceof z.ZodObject ? csvColumns(inner.shape as z.ZodRawShape, path) : [path];
  });
}

function valueAt(row: Row, path: Path): unknown {
  let at: unknown = row;
  for (const name of path) at = (at as Row | null | undefined)?.[name];
  return at;
}

const toLine = (values: readonly unknown[]): string => `${values.map(toField).join(",")}\r\n`;

function toField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
