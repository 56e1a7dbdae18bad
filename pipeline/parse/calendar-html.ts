/**
 * The registrar's academic calendar: an index of years, and a page per academic year, whose tables are read by their
 * headings.
 */
import { createUnknownFields, type UnknownField } from "../contract/source-fields.ts";
import type { Quarter } from "../contract/vocabulary.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { beyondLimit, LIMITS } from "../limits.ts";
import { academicYearIn, type TermHeading, termOfHeading } from "./calendar-heading.ts";
import { hrefsOf } from "./catalogue-html.ts";
import { linesOfCell } from "./cell-lines.ts";
import { type Element, type Page, parsePage, requireWhole, textOf } from "./html-page.ts";
import { labelLines } from "./label-lines.ts";
import { type GridRow, gridOf } from "./table-grid.ts";

const SYSTEM = "calendar";

/** A line of a cell in the column of a term. */
export interface CalendarEntry extends TermHeading {
  /** The row's label, then that of the line's group. */
  readonly label: string;
  /** As printed: `Sep 28`, `Dec 9-15`, `Feb 19, May 27`, `TBA`. */
  readonly text: string;
}

export interface CalendarPage {
  /** The year from the page's heading, else from those of the columns: 2023 for `2023-2024`. */
  readonly firstYear?: number;
  /** The quarters that head a column. */
  readonly quarters: readonly Quarter[];
  readonly entries: readonly CalendarEntry[];
  /** Headings beside those of terms that do not name a term. */
  readonly unknown: readonly UnknownField[];
}

const REQUIRED = [/instruction begins/i, /instruction ends/i, /final examinations/i];

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
 * Parses a year's page. Columns are found by their headings, rows by their labels.
 * @throws UpstreamBadResponse when no column is headed with a term, a row is missing or the page is cut off
 */
export function parseCalendarPage(html: string): CalendarPage {
  const page = parsePage(SYSTEM, html);
  const tables = page("table.calendartable");
  requireWhole(SYSTEM, "calendar table", tables);
  requireWhole(SYSTEM, "body", page("body"));
  const unknown = createUnknownFields();
  const quarters = new Set<Quarter>();
  const entries: CalendarEntry[] = [];
  for (const { table, above } of tablesOf(page)) {
    let columns = toColumns(above);
    const outline: { indent: number; text: string }[] = [];
    for (const row of gridOf(page, table)) {
      const headed = readHeadings(page, row, columns);
      if (headed) {
        columns = headed;
        for (const name of headed.unknown) unknown.add({ kind: "heading", place: "calendartable", name });
      } else if (columns) for (const entry of readRow(page, row, columns, outline)) entries.push(entry);
      for (const { quarter } of columns?.terms.values() ?? []) quarters.add(quarter);
    }
  }
  if (quarters.size === 0) throw new UpstreamBadResponse(SYSTEM, "no column of the page is headed with a term");
  if (REQUIRED.some((words) => !entries.some(({ label }) => words.test(label))))
    throw new UpstreamBadResponse(SYSTEM, "the page lacks a row of dates");
  const firstYear = yearOfPage(page) ?? yearOfHeadings(entries);
  return {
    ...(firstYear === undefined ? {} : { firstYear }),
    quarters: [...quarters],
    entries,
    unknown: unknown.list(),
  };
}

interface Columns {
  /** Terms by column. */
  readonly terms: ReadonlyMap<number, TermHeading>;
  readonly labels: readonly number[];
  readonly unknown: readonly string[];
}

/** A table of a single quarter names it above, and has a label and a date in each row. */
const toColumns = (above: TermHeading | undefined): Columns | undefined =>
  above && { terms: new Map([[1, above]]), labels: [0], unknown: [] };

/** Each table, with the term that its caption or else the headings above it name. */
function tablesOf(page: Page): { table: Element; above: TermHeading | undefined }[] {
  const tables: { table: Element; above: TermHeading | undefined }[] = [];
  /** Open headings by level: a heading ends those of its level and below. */
  let open: (TermHeading | undefined)[] = [];
  for (const element of page("h1, h2, h3, h4, h5, h6, table.calendartable").toArray()) {
    if (element.name !== "table") {
      const level = Number(element.name.slice(1));
      open = [...Array.from({ length: level }, (_, i) => open[i]), termOfHeading(textOf(page(element)))];
    } else {
      const caption = termOfHeading(textOf(page(element).children("caption")));
      tables.push({ table: element, above: caption ?? open.findLast((term) => term !== undefined) });
    }
  }
  return tables;
}

const DATE = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\bt\.?b\.?[ad]\b/i;

/** The columns below a row of headings; undefined for a row of dates. */
function readHeadings(page: Page, row: GridRow, above: Columns | undefined): Columns | undefined {
  const texts = row.map((cell) => (cell ? textOf(page(cell)) : ""));
  const terms = new Map(
    texts.flatMap((text, column) => {
      const term = termOfHeading(text);
      return term ? [[column, term] as const] : [];
    }),
  );
  const [[first = 0, term] = []] = terms;
  if (!term || texts.some((text) => DATE.test(text))) return undefined;
  // A heading that spans the table applies to the rows below.
  if (new Set(row).size === 1) return toColumns(term);
  // A label such as `Summer` that is alone in its row heads rows, not columns.
  if (above?.labels.includes(first) && terms.size === 1) return undefined;
  const others = texts.flatMap((_, column) => (terms.has(column) ? [] : [column]));
  const labels = others.filter((column) => texts[column] === texts[others[0] ?? 0]);
  const unknown = others.flatMap((column) => (labels.includes(column) ? [] : (texts[column] ?? ""))).filter(Boolean);
  return { terms, labels: labels.length > 0 ? labels : [row.length], unknown };
}

/** Reads a row; `outline` holds the labels of the rows without dates above it that are less indented. */
function readRow(
  page: Page,
  row: GridRow,
  { terms, labels }: Columns,
  outline: { indent: number; text: string }[],
): CalendarEntry[] {
  const named = [...new Set(labels.flatMap((column) => row[column] ?? []))];
  const lines = named
    .map((cell) => linesOfCell(page, cell))
    .filter((cellLines) => cellLines.some(({ text }) => text !== ""));
  const label = lines.at(-1) ?? [];
  const outerLabels = lines.slice(0, -1).flatMap((cellLines) => cellLines.map(({ text }) => text).filter(Boolean));
  const indent = label.find(({ text }) => text !== "")?.indent ?? 0;
  while ((outline.at(-1)?.indent ?? -1) >= indent) outline.pop();
  const headings = [...outline.map(({ text }) => text), ...outerLabels];
  const length = [...headings, ...label.map(({ text }) => text)].reduce((sum, text) => sum + text.length, 0);
  if (length > LIMITS.cell.label) throw beyondLimit(SYSTEM, "page", LIMITS.cell.label, "characters in a label");
  const cells = [...terms].flatMap(([column, term]) => {
    const cell = row[column];
    return cell && !named.includes(cell) ? [{ term, lines: linesOfCell(page, cell) }] : [];
  });
  if (label.length === 0 || cells.length === 0) return [];
  if (cells.every((cell) => cell.lines.every(({ text }) => text === ""))) {
    outline.push({ indent, text: [...outerLabels, ...label.map(({ text }) => text).filter(Boolean)].join(" ") });
    return [];
  }
  const texts = labelLines(
    label,
    cells.map((cell) => cell.lines),
  );
  return cells.flatMap(({ term }, i) =>
    (texts[i] ?? []).map((labelled) => ({
      ...term,
      label: [...headings, labelled.label].join(" "),
      text: labelled.text,
    })),
  );
}

/** The academic year in the heading of the page. */
const yearOfPage = (page: Page): number | undefined =>
  page("h1, h2, title")
    .toArray()
    .map((element) => academicYearIn(textOf(page(element))))
    .find(Boolean);

/** The academic year that all headings with a year agree on. */
function yearOfHeadings(entries: readonly CalendarEntry[]): number | undefined {
  const years = entries.flatMap(({ quarter, year }) => (year ? [Number(year) - (quarter === "Fall" ? 0 : 1)] : []));
  return new Set(years).size === 1 ? years[0] : undefined;
}
