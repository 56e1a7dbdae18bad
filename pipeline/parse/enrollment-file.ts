/** Streams the rows of a file of older enrollment history, CSV or NDJSON. */
import { pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { decodeStream } from "../text/decode-text.ts";
import { SNAPSHOT_VALUES } from "../contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { boundedLines, boundedRows } from "./bounded-rows.ts";

/** The required columns of a CSV file, which data/README.md describes. */
const REQUIRED_COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES] as const;

/** A row; `line` is the number of its last line, from 1. */
export interface EnrollmentRecord {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The reason why it is invalid. */
  readonly problem?: string;
}

interface CommaRow {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads a file row by row, in the format of its extension.
 * @throws UpstreamBadResponse on another encoding than UTF-8, damaged quotes, or a missing column
 */
export const parseEnrollmentFile = (name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<EnrollmentRecord> =>
  /\.csv$/i.test(name)
    ? parseCommaRows(withEnds(decodeStream("enrollment", bytes)))
    : parseJsonLines(decodeStream("enrollment", bytes));

const damaged = (what: string, cause?: unknown) => new UpstreamBadResponse("enrollment", what, { cause });

async function* withEnds(text: AsyncIterable<string>): AsyncGenerator<string> {
  const check = boundedLines("enrollment");
  for await (const part of text) {
    check(part);
    yield part;
  }
}

/** Errors of a quote that is never closed: their message names the line where the parser gave up. */
const UNENDED = ["CSV_QUOTE_NOT_CLOSED", "CSV_MAX_RECORD_SIZE"];

/** Lines up to this length are within the limit of a row, whatever their characters are in UTF-8. */
const LONGEST_PLAIN = LIMITS.rows.bytes / 4;
/** Only the parser reads quotes, and a carriage return inside a line, which it counts as a line. */
const NOT_PLAIN = /"|\r./s;
const isPlain = (line: string): boolean => line.length <= LONGEST_PLAIN && !NOT_PLAIN.test(line);

/**
 * Plain text, of which most files consist, is split at line ends and commas. From the first exception on, the parser
 * reads the rest; it gives the same rows for all of it, in several times the time.
 */
async function* parseCommaRows(text: AsyncGenerator<string>): AsyncGenerator<EnrollmentRecord> {
  const limits = boundedRows("enrollment");
  let header: string[] | undefined;
  let line = 0;
  let records = 0;
  let held = "";
  try {
    for (let isLast = false; !isLast;) {
      const { done = false, value = "" } = await text.next();
      isLast = done;
      const lines = (held + value).split("\n");
      if (!lines.every(isPlain) || (isLast && lines.at(-1)?.endsWith("\r"))) {
        yield* parseQuotedRows(following(held + value, text), { header, line, limits, records });
        return;
      }
      held = isLast ? "" : (lines.pop() ?? "");
      for (const row of lines) {
        line++;
        if (row.trim() === "") continue;
        records++;
        const cells = limits.on_record(row.split(","));
        if (header) yield toRecord(cells, line, header);
        else header = toHeader(cells.map((cell) => cell.trim()));
      }
    }
  } finally {
    await text.return(undefined);
  }
  if (!header) throw damaged("the file is empty");
}

async function* following(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/** The rows that were read before, and what the next ones need of them. */
interface ReadBefore {
  readonly header: string[] | undefined;
  readonly line: number;
  readonly limits: ReturnType<typeof boundedRows>;
  readonly records: number;
}

async function* parseQuotedRows(
  text: AsyncGenerator<string>,
  { header: headerBefore, line, limits, records }: ReadBefore,
): AsyncGenerator<EnrollmentRecord> {
  const parser = parse({
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ["\r\n", "\n"],
    ...limits,
  });
  // Errors of the text reach the reader of the parser. Empty lines make it count those that were read before.
  pipeline(following("\n".repeat(line), text), parser, () => undefined);
  let header = headerBefore;
  try {
    for await (const { record, info } of parser as AsyncIterable<CommaRow>) {
      if (!header) header = toHeader(record);
      else yield toRecord(record, info.lines, header);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const words = UNENDED.includes(error.code)
      ? `row ${records + parser.info.records + 1} does not end`
      : error.message;
    throw damaged(`the comma-separated text is damaged: ${words}`, error);
  }
  if (!header) throw damaged("the file is empty");
}

function toRecord(cells: readonly string[], line: number, header: readonly string[]): EnrollmentRecord {
  const fields: Record<string, unknown> = {};
  if (cells.length !== header.length)
    return { line, fields, problem: `${cells.length} columns, the header has ${header.length}` };
  // Trim blanks inside quotes, which the parser keeps.
  header.forEach((column, i) => (fields[column] = cells[i]?.trim()));
  return { line, fields };
}

function toHeader(cells: readonly string[]): string[] {
  const missing = REQUIRED_COLUMNS.filter((name) => !cells.includes(name));
  if (missing.length > 0) throw damaged(`the file has no column ${missing.join(", ")}`);
  const twice = cells.filter((name, i) => name !== "" && cells.indexOf(name) !== i);
  if (twice.length > 0) throw damaged(`the column ${twice[0]} occurs twice`);
  return [...cells];
}

async function* parseJsonLines(text: AsyncIterable<string>): AsyncGenerator<EnrollmentRecord> {
  let line = 0;
  let held = "";
  let isEmpty = true;
  function* read(rows: readonly string[]): Generator<EnrollmentRecord> {
    for (const row of rows) {
      line++;
      if (row.trim() === "") continue;
      isEmpty = false;
      const fields = readObject(row);
      yield fields ? { line, fields } : { line, fields: {}, problem: "not a JSON object" };
    }
  }
  for await (const part of text) {
    const rows = (held + part).split("\n");
    held = rows.pop() ?? "";
    if (held.length > LIMITS.rows.bytes) throw damaged(`row ${line + rows.length + 1} does not end`);
    yield* read(rows);
  }
  yield* read([held]);
  if (isEmpty) throw damaged("the file is empty");
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // The caller reports that it is not an object.
  }
  return undefined;
}
