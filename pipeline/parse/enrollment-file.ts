/** Streams the rows of a file of older enrollment history, CSV or NDJSON. */
import { decodeStream } from "../text/decode-text.ts";
import { DESCRIBED_COLUMNS, SNAPSHOT_VALUES } from "../contract/rows/enrollment-history.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { commaValues, createCommaRows } from "./comma-rows.ts";

/** The columns in the parts of a row that repeat in other rows. data/README.md describes them. */
const PARTS = {
  section: ["year", "quarter", "sectionCode"],
  date: ["date"],
  values: SNAPSHOT_VALUES,
  description: DESCRIBED_COLUMNS.filter((name) => name !== "courseNumeric"),
} as const;
type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** The required columns of a CSV file. */
const REQUIRED_COLUMNS = [...PARTS.section, ...PARTS.date, ...PARTS.values];

/** A row: the text of each part, which is equal in rows with equal values. */
export interface EnrollmentRow extends Readonly<Record<Part, string>> {
  /** The number of its last line, from 1. */
  readonly line: number;
  /** The reason why it is invalid. */
  readonly problem?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface EnrollmentFileReader {
  /**
   * The rows, in batches.
   * @throws UpstreamBadResponse on another encoding than UTF-8, damaged quotes, or a missing column
   */
  readonly batches: AsyncIterable<readonly EnrollmentRow[]>;
  /** The values of a part by column. */
  fieldsOf(part: Part, text: string): Fields;
}

/** Reads a file, in the format of its extension. */
export function parseEnrollmentFile(name: string, bytes: AsyncIterable<Buffer>): EnrollmentFileReader {
  const text = decodeStream("enrollment", bytes);
  return /\.csv$/i.test(name) ? readCommaRows(text) : readJsonLines(text);
}

const damaged = (what: string) => new UpstreamBadResponse("enrollment", what);
const NO_PARTS = { section: "", date: "", values: "", description: "" };

function readCommaRows(text: AsyncIterable<string>): EnrollmentFileReader {
  let header: string[] | undefined;
  const columns = {} as Record<Part, readonly string[]>;
  async function* batches(): AsyncGenerator<EnrollmentRow[]> {
    const row = createCommaRows("enrollment");
    const runs = {} as Record<Part, readonly Run[]>;
    function textOf(part: Part): string {
      let [text, comma] = ["", ""];
      for (const { first, last } of runs[part]) {
        text += comma + row.text(first, last);
        comma = ",";
      }
      return text;
    }
    function read(): EnrollmentRow[] {
      const batch: EnrollmentRow[] = [];
      while (row.next()) {
        const [line, count] = [row.line(), row.count()];
        if (!header) {
          header = commaValues(row.text(0, count - 1));
          checkHeader(header);
          for (const part of PART_NAMES) {
            runs[part] = runsOf(header, PARTS[part]);
            columns[part] = header.filter((name) => (PARTS[part] as readonly string[]).includes(name));
          }
        } else if (count !== header.length)
          batch.push({ line, ...NO_PARTS, problem: `${count} columns, the header has ${header.length}` });
        else
          batch.push({
            line,
            section: textOf("section"),
            date: textOf("date"),
            values: textOf("values"),
            description: textOf("description"),
          });
      }
      return batch;
    }
    for await (const piece of text) {
      row.add(piece);
      yield read();
    }
    row.add(undefined);
    yield read();
    if (!header) throw damaged("the file is empty");
  }
  return {
    batches: batches(),
    fieldsOf(part, text) {
      const values = commaValues(text);
      const fields: Record<string, unknown> = {};
      columns[part].forEach((name, i) => (fields[name] = values[i]));
      return fields;
    },
  };
}

/** Adjacent columns of a part, whose text can be taken at once. */
interface Run {
  readonly first: number;
  last: number;
}

function runsOf(header: readonly string[], columns: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const [i, name] of header.entries()) {
    if (!columns.includes(name)) continue;
    const run = runs.at(-1);
    if (run?.last === i - 1) run.last = i;
    else runs.push({ first: i, last: i });
  }
  return runs;
}

/** @throws UpstreamBadResponse */
function checkHeader(header: readonly string[]): void {
  const missing = REQUIRED_COLUMNS.filter((name) => !header.includes(name));
  if (missing.length > 0) throw damaged(`the file has no column ${missing.join(", ")}`);
  const twice = header.filter((name, i) => name !== "" && header.indexOf(name) !== i);
  if (twice.length > 0) throw damaged(`the column ${twice[0]} occurs twice`);
}

function readJsonLines(text: AsyncIterable<string>): EnrollmentFileReader {
  let line = 0;
  let isEmpty = true;
  function read(lines: readonly string[]): EnrollmentRow[] {
    const batch: EnrollmentRow[] = [];
    for (const row of lines) {
      line++;
      if (row.trim() === "") continue;
      isEmpty = false;
      const fields = readObject(row);
      if (!fields) batch.push({ line, ...NO_PARTS, problem: "not a JSON object" });
      else {
        const [section, date, values, description] = PART_NAMES.map((part) =>
          JSON.stringify(
            Object.fromEntries(PARTS[part].filter((name) => name in fields).map((name) => [name, fields[name]])),
          ),
        ) as [string, string, string, string];
        batch.push({ line, section, date, values, description });
      }
    }
    return batch;
  }
  async function* batches(): AsyncGenerator<EnrollmentRow[]> {
    let held = "";
    for await (const piece of text) {
      const lines = (held + piece).split("\n");
      held = lines.pop() ?? "";
      if (held.length > LIMITS.rows.bytes) throw damaged(`row ${line + lines.length + 1} does not end`);
      yield read(lines);
    }
    yield read([held]);
    if (isEmpty) throw damaged("the file is empty");
  }
  return { batches: batches(), fieldsOf: (_part, text) => JSON.parse(text) as Fields };
}

function readObject(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  } catch {
    // The caller reports that it is not an object.
  }
  return undefined;
}
