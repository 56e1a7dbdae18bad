/** `data/calendar.csv`: terms that are missing or wrong on the calendar's pages. */
import { parse } from "csv-parse/sync";
import { UpstreamBadResponse } from "../errors.ts";
import { boundedLines, boundedRows } from "./bounded-rows.ts";

const CALENDAR_COLUMNS = ["year", "quarter", "instructionStart", "instructionEnd", "finalsStart", "finalsEnd"] as const;

export type CalendarRecord = Record<(typeof CALENDAR_COLUMNS)[number], string>;

/**
 * Parses the rows as written; columns are read by their names, in any order, case and spacing, and unknown ones
 * ignored.
 * @throws UpstreamBadResponse when it is not CSV, or a column is missing or repeated
 */
export function parseCalendarCsv(text: string): CalendarRecord[] {
  boundedLines("calendar")(text);
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      ...boundedRows("calendar"),
    });
  } catch (error) {
    if (error instanceof UpstreamBadResponse) throw error;
    throw new UpstreamBadResponse("calendar", "the file is not CSV", { cause: error });
  }
  const [header = [], ...records] = rows;
  const names = header.map(keyOf);
  const indexes = CALENDAR_COLUMNS.map((name) => names.indexOf(keyOf(name)));
  const missing = CALENDAR_COLUMNS.filter((_, i) => indexes[i] === -1);
  if (missing.length > 0) throw new UpstreamBadResponse("calendar", `the file has no column ${missing.join(", ")}`);
  const twice = CALENDAR_COLUMNS.filter((name, i) => names.lastIndexOf(keyOf(name)) !== indexes[i]);
  if (twice.length > 0)
    throw new UpstreamBadResponse("calendar", `the file has more than one column ${twice.join(", ")}`);
  return records.map(
    (record) =>
      Object.fromEntries(CALENDAR_COLUMNS.map((name, i) => [name, record[indexes[i] ?? -1] ?? ""])) as CalendarRecord,
  );
}

/** `Instruction start` and `instructionStart` are the same name. */
const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");
