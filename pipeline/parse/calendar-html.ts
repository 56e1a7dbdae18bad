/** The registrar's academic calendar: an index of years, and one page an academic year. */
import { UpstreamBadResponse } from "../errors.ts";
import { hrefsOf } from "./catalogue-html.ts";
import { parsePage, requireWhole, textOf } from "./html-page.ts";

const SYSTEM = "calendar";

/** The cells of one row, as printed: `Sep 28`, `Dec 9-15`, `TBA`. */
export type CalendarCells = readonly [string, string, string];

/** The rows with the dates of three terms. */
export interface CalendarColumns {
  begins: CalendarCells;
  ends: CalendarCells;
  finals: CalendarCells;
}

/** A row besides those of `CalendarColumns`. */
export interface CalendarLine {
  label: string;
  /** Whether its cells are of the summer sessions, not of the regular quarters. */
  isSummer: boolean;
  /** `Nov 11`, `Nov 28-29`, `Feb 19, May 27`, `TBA` or nothing. */
  cells: CalendarCells;
}

export interface CalendarPage {
  /** From the heading: 2023 for `2023-2024`. */
  firstYear?: number;
  /** Fall, Winter, Spring. */
  regular: CalendarColumns;
  /** Summer session 1, the ten-week session, session 2; absent when the page has one table. */
  summer?: CalendarColumns;
  /** Every other row with a label and a number in a cell. */
  lines: CalendarLine[];
}

const LABELS = {
  begins: /instruction begins/i,
  ends: /instruction ends/i,
  finals: /final examinations/i,
} as const;

/**
 * Addresses of pages `2023-2024/quarterly23-24.html` that a page links to, as printed.
 * @throws UpstreamBadResponse when the page is cut off
 */
export function parseCalendarIndex(html: string): string[] {
  const page = parsePage(SYSTEM, html);
  requireWhole(SYSTEM, "body", page("body"));
  return hrefsOf(page, page("a[href]")).filter((href) => /quarterly\d\d-\d\d\.html?$/i.test(href));
}

/**
 * A year's page. Rows are found by their label: the first one is of the regular quarters, the last one of the summer.
 * @throws UpstreamBadResponse when a row is missing or the page is cut off
 */
export function parseCalendarPage(html: string): CalendarPage {
  const page = parsePage(SYSTEM, html);
  const tables = page("table.calendartable");
  requireWhole(SYSTEM, "calendar table", tables);
  requireWhole(SYSTEM, "body", page("body"));
  const rows: Row[] = tables
    .find("tr")
    .toArray()
    .map((element) => ({
      table: tables.index(page(element).closest("table.calendartable")),
      cells: page(element)
        .children("td, th")
        .toArray()
        .map((cell) => textOf(page(cell))),
    }));
  const labelled = (label: RegExp) => rows.filter(({ cells: [text = ""] }) => label.test(text));
  const found = { begins: labelled(LABELS.begins), ends: labelled(LABELS.ends), finals: labelled(LABELS.finals) };
  const columns = (at: 0 | -1): CalendarColumns => ({
    begins: toCells(found.begins.at(at)),
    ends: toCells(found.ends.at(at)),
    finals: toCells(found.finals.at(at)),
  });
  const firstYear = page("h1, h2, title")
    .toArray()
    .map((element) => yearOf(textOf(page(element))))
    .find(Boolean);
  const hasSummer = Object.values(found).every((matches) => matches.length > 1);
  return {
    ...(firstYear === undefined ? {} : { firstYear }),
    regular: columns(0),
    ...(hasSummer ? { summer: columns(-1) } : {}),
    lines: toLines(rows, new Set(Object.values(found).flat()), found.begins),
  };
}

interface Row {
  /** Which table of the page it stands in. */
  readonly table: number;
  /** The label, then the cells. */
  readonly cells: readonly string[];
}

function toCells(row: Row | undefined): CalendarCells {
  if (!row || row.cells.length < 4) throw new UpstreamBadResponse(SYSTEM, "the page lacks a row of dates");
  return cellsOf(row);
}

const cellsOf = ({ cells }: Row): CalendarCells => [cells[1] ?? "", cells[2] ?? "", cells[3] ?? ""];

const HEADING = /^(fall|winter|spring|summer)\b/i;

/** A table's rows are of the terms that the heading above them names. Without a heading the table of the last `begins` is that of the summer. */
function toLines(rows: readonly Row[], known: ReadonlySet<Row>, begins: readonly Row[]): CalendarLine[] {
  const lines: CalendarLine[] = [];
  let [table, isSummer] = [-1, false];
  for (const row of rows) {
    const {
      cells: [label = ""],
    } = row;
    const cells = cellsOf(row);
    if (row.table !== table) isSummer = row.table === begins.at(-1)?.table && row.table !== begins[0]?.table;
    table = row.table;
    if (cells.every((cell) => HEADING.test(cell))) isSummer = cells.every((cell) => /^summer/i.test(cell));
    else if (label !== "" && cells.some((cell) => /\d/.test(cell)) && !known.has(row))
      lines.push({ label, isSummer, cells });
  }
  return lines;
}

/** `2023-2024`, `2023-24`: one academic year, not a longer span. */
function yearOf(heading: string): number | undefined {
  const found = /\b(\d{4})\s*[-–]\s*(\d{4}|\d{2})\b/.exec(heading);
  const first = Number(found?.[1]);
  return found && (first + 1) % 100 === Number(found[2]) % 100 ? first : undefined;
}
