/** Streams the rows of a file of older enrollment history, CSV or NDJSON. */
import { SNAPSHOT_VALUES } from "../contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { type CommaRow, createCommaReader, DamagedRow } from "./sheets/comma-rows.ts";

/** The required columns of a CSV file, described in data/README.md. */
export const REQUIRED_COLUMNS = ["year", "quarter", "sectionCode", "date", ...SNAPSHOT_VALUES] as const;

/** One row; `line` is the number of its last line, from 1. */
export interface EnrollmentRecord {
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why it is invalid. */
  readonly problem?: string;
}

/**
 * Reads a file by its extension, in batches of rows.
 * @throws UpstreamBadResponse on another encoding than UTF-8, damaged quotes, or a missing column
 */
export async function* parseEnrollmentFile(
  name: string,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<EnrollmentRecord[]> {
  yield* /\.csv$/i.test(name) ? parseCommaRows(decoded(bytes)) : parseJsonLines(decoded(bytes));
}

const damaged = (what: string, cause?: unknown) => new UpstreamBadResponse("enrollment", what, { cause });

/** Decodes UTF-8, without a byte order mark. */
async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const part of bytes) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw cause instanceof TypeError ? damaged("the file is not UTF-8", cause) : cause;
  }
}

async function* parseCommaRows(text: AsyncIterable<string>): AsyncGenerator<EnrollmentRecord[]> {
  const reader = createCommaReader();
  let header: string[] | undefined;
  const toRecords = (rows: CommaRow[]): EnrollmentRecord[] => {
    if (!header && rows[0]) header = toHeader((rows.shift() as CommaRow).cells);
    return rows.map((row) => toRecord(row, header as string[]));
  };
  try {
    for await (const part of text) yield toRecords(reader.push(part));
    yield toRecords(reader.end());
  } catch (error) {
    if (!(error instanceof DamagedRow)) throw error;
    throw damaged(`the comma-separated text is damaged: ${error.message}`, error);
  }
  if (!header) throw damaged("the file is empty");
}

function toRecord({ line, cells }: CommaRow, header: readonly string[]): EnrollmentRecord {
  const fields: Record<string, unknown> = {};
  if (cells.length !== header.length)
    return { line, fields, problem: `${cells.length} columns, the header has ${header.length}` };
  header.forEach((column, i) => (fields[column] = cells[i]));
  return { line, fields };
}

function toHeader(cells: readonly string[]): string[] {
  const missing = REQUIRED_COLUMNS.filter((name) => !cells.includes(name));
  if (missing.length > 0) throw damaged(`the file has no column ${missing.join(", ")}`);
  const twice = cells.filter((name, i) => name !== "" && cells.indexOf(name) !== i);
  if (twice.length > 0) throw damaged(`the column ${twice[0]} stands there twice`);
  return [...cells];
}

async function* parseJsonLines(text: AsyncIterable<string>): AsyncGenerator<EnrollmentRecord[]> {
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
      // Reported below.
    }
    return { line, fields: {}, problem: "not a JSON object" };
  };
  for await (const part of text) {
    const rows = (held + part).split("\n");
    held = rows.pop() ?? "";
    yield rows.map(toRecord).filter((record) => record !== undefined);
  }
  const last = toRecord(held);
  if (last) yield [last];
  if (line === 1 && !last) throw damaged("the file is empty");
}
