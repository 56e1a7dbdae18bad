/** A file of older enrollment history, as comma-separated text or as one JSON object a line → its rows, piece by piece: such a file may be large. */
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { SNAPSHOT_VALUES } from "../contract/enrollment-history.ts";
import { UpstreamBadAnswer } from "../errors.ts";

/** The columns that every comma-separated file has; data/README.md says what stands in them. */
export const REQUIRED_COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES] as const;

/** One row; `line` is where it ends in its file, counted from 1. */
export interface EnrollmentRecord {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why it is no row. */
  readonly problem?: string;
}

/**
 * Reads a file by its name's ending.
 * @throws UpstreamBadAnswer when it is not what its name says: another encoding, damaged quotes, a column missing
 */
export async function* parseEnrollmentFile(
  name: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<EnrollmentRecord> {
  yield* /\.csv$/i.test(name) ? parseCommaRows(decoded(bytes)) : parseJsonLines(decoded(bytes));
}

const damaged = (what: string, cause?: unknown) => new UpstreamBadAnswer("enrollment", what, { cause });

/** UTF-8; a byte order mark is no text. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const part of bytes) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw cause instanceof TypeError ? damaged("the file is not UTF-8", cause) : cause;
  }
}

async function* parseCommaRows(text: AsyncIterable<string>): AsyncGenerator<EnrollmentRecord> {
  const source = Readable.from(text);
  const parser = parse({ trim: true, skip_empty_lines: true, relax_column_count: true, info: true });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!header) {
        header = toHeader(record);
        continue;
      }
      const line = info.lines;
      if (record.length === header.length) {
        yield { line, fields: Object.fromEntries(header.map((column, i) => [column, record[i]])) };
      } else yield { line, fields: {}, problem: `${record.length} columns, the header has ${header.length}` };
    }
  } catch (error) {
    if (error instanceof UpstreamBadAnswer) throw error;
    throw damaged(`the comma-separated text is damaged: ${error instanceof Error ? error.message : error}`, error);
  } finally {
    source.destroy();
  }
  if (!header) throw damaged("the file is empty");
}

function toHeader(cells: readonly string[]): string[] {
  const missing = REQUIRED_COLUMNS.filter((name) => !cells.includes(name));
  if (missing.length > 0) throw damaged(`the file has no column ${missing.join(", ")}`);
  const twice = cells.filter((name, i) => name !== "" && cells.indexOf(name) !== i);
  if (twice.length > 0) throw damaged(`the column ${twice[0]} stands there twice`);
  return [...cells];
}

async function* parseJsonLines(text: AsyncIterable<string>): AsyncGenerator<EnrollmentRecord> {
  let line = 0;
  let held = "";
  const toRecord = (row: string): EnrollmentRecord | undefined => {
    line++;
    if (row.trim() === "") return undefined;
    try {
      const fields: unknown = JSON.parse(row);
      if (typeof fields === "object" && fields !== null && !Array.isArray(fields))
        return { line, fields: fields as Record<string, unknown> };
    } catch {
      // Said below.
    }
    return { line, fields: {}, problem: "no JSON object" };
  };
  for await (const part of text) {
    const rows = (held + part).split("\n");
    held = rows.pop() ?? "";
    for (const row of rows) {
      const record = toRecord(row);
      if (record) yield record;
    }
  }
  const last = toRecord(held);
  if (last) yield last;
  if (line === 1 && !last) throw damaged("the file is empty");
}
