/** An export as plain tables: one for a CSV file, one for each sheet of a workbook. */
import { parse as parseCsv } from "csv-parse/sync";
import { decodeHTMLStrict } from "entities";
import readWorkbook from "read-excel-file/universal";
import { asBrowsersRead, decodeText } from "../../text/decode-text.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import { boundedLines, boundedRows } from "../bounded-rows.ts";
import { LIMITS } from "../../limits.ts";
import { createUnsavedFormulas, UNSAVED_FORMULA } from "./unsaved-formulas.ts";
import { checkWorkbook } from "./workbook-check.ts";

/**
 * A cell as stored: text in a CSV file; text, number, boolean, date or `UNSAVED_FORMULA` in a workbook; null when
 * absent.
 */
export type Cell = unknown;

export interface SheetTable {
  /** The sheet's name; `""` for a CSV file. */
  readonly sheet: string;
  /** `rows[i]` is row i + 1 of the sheet, blank rows included. */
  readonly rows: readonly (readonly Cell[])[];
  /** The delimiter of a CSV file. */
  readonly delimiter?: string;
}

/** The signature of a zip archive, and so of an .xlsx workbook. */
const ZIP_SIGNATURE = Buffer.from("PK\x03\x04", "latin1");

/**
 * Reads an export: a zip archive is a workbook, anything else must be named .csv.
 * @throws UpstreamBadResponse when the file is damaged, too large, or neither
 */
export async function parseSheetTables(name: string, bytes: Buffer): Promise<SheetTable[]> {
  if (bytes.subarray(0, ZIP_SIGNATURE.length).equals(ZIP_SIGNATURE)) return parseWorkbook(bytes);
  if (!name.toLowerCase().endsWith(".csv"))
    throw new UpstreamBadResponse("records", "the file is not an .xlsx workbook");
  return [{ sheet: "", ...parseTextFile(bytes) }];
}

async function parseWorkbook(bytes: Buffer): Promise<SheetTable[]> {
  const formulas = createUnsavedFormulas();
  checkWorkbook(bytes, (name, content) => formulas.add(name, content));
  const input = new Uint8Array(bytes).buffer;
  const sheets = await readWorkbook(input).catch((cause: unknown) => {
    throw new UpstreamBadResponse("records", "the workbook cannot be read", { cause });
  });
  // The library returns no rows for a sheet that is named but missing.
  if (sheets.some(({ data }) => !Array.isArray(data)))
    throw new UpstreamBadResponse("records", "the workbook names a sheet that it does not have");
  return sheets.map(({ sheet, data }, i) => ({ sheet, rows: formulas.mark(i, data) }));
}

function parseTextFile(bytes: Buffer): Pick<SheetTable, "rows"> & { delimiter: string } {
  if (bytes.length > LIMITS.workbook.bytes) throw new UpstreamBadResponse("records", "the file is too large");
  const text = decodeText({ system: "records", bytes, kind: "csv" });
  const delimiter = delimiterOf(text);
  boundedLines("records")(text);
  let rows: string[][];
  try {
    rows = parseCsv(text, {
      delimiter,
      // A file may mix line ends.
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      ...boundedRows("records"),
    });
  } catch (cause) {
    if (cause instanceof UpstreamBadResponse) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new UpstreamBadResponse("records", `the comma-separated text is damaged: ${words}`, { cause });
  }
  const last = rows.at(-1);
  if (last && last.length < (rows[0]?.length ?? 0) && !/[\r\n]$/.test(text)) {
    throw new UpstreamBadResponse("records", `the file is cut off in row ${rows.length}`);
  }
  return { rows, delimiter };
}

/** The office's delimiter first; spreadsheets use semicolon and tab where the comma is the decimal sign. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The number of lines that are searched: one of them is the header, which has the most cells. */
const LINES = 20;

/**
 * The delimiter of the line with the most cells, without quoted ones, or the delimiter that a spreadsheet states in its
 * first line: `sep=;`.
 */
function delimiterOf(text: string): string {
  const stated = /^"?sep=([^\r\n])"?[\r\n]/i.exec(text)?.[1];
  if (stated !== undefined) return stated;
  const lines = text
    .slice(0, 65_536)
    .split(/[\r\n]+/, LINES)
    .map((line) => line.replace(/"[^"]*"/g, ""));
  const mostCells = (delimiter: string) => Math.max(...lines.map((line) => line.split(delimiter).length));
  return DELIMITERS.reduce<string>(
    (best, delimiter) => (mostCells(delimiter) > mostCells(best) ? delimiter : best),
    DELIMITERS[0],
  );
}

/**
 * A cell as text: white space collapsed, HTML entities decoded once, as some deliveries are HTML-encoded; `""` when
 * empty.
 */
export function cellText(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  if (cell === null || cell === undefined || cell === "" || cell === UNSAVED_FORMULA) return "";
  const text = asBrowsersRead(String(cell));
  return (text.includes("&") ? decodeHTMLStrict(text) : text).replace(/\s+/g, " ").trim();
}

/**
 * As cellText, but keeps line ends, as there may be a person on each line. A name that continues after a comma stays on
 * one line.
 */
export const cellLines = (cell: Cell): string =>
  typeof cell === "string"
    ? cell
        .split(/[\r\n]+/)
        .map(cellText)
        .filter(Boolean)
        .join("\n")
        .replace(/,\n/g, ", ")
    : cellText(cell);
