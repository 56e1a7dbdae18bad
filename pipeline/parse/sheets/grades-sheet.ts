/**
 * The records office's grade sheets: .csv files and .xlsx workbooks, in every layout that has been delivered.
 * **Output:** sheet_rows
 */
import { GRADE_COUNTS, type GradeCount, type SheetRow } from "../../contract/rows/grade.ts";
import type { UnknownFields } from "../../contract/source-fields.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { parseSheetHeader, type SheetField, type SheetHeader } from "./sheet-header.ts";
import { cellLines, cellText, parseSheetTables, type Cell, type SheetTable } from "./sheet-table.ts";
import { REMEDY, UNSAVED_FORMULA } from "./unsaved-formulas.ts";
import {
  type DecimalSign,
  decimalSignOf,
  isAmbiguous,
  isNoAverage,
  parseAcademicYear,
  parseAverage,
  parseCalendarYear,
  parseCount,
  parseSectionCode,
  parseSheetTerm,
} from "./sheet-values.ts";

/** A title or a note may precede the header. */
const HEADER_WITHIN_ROWS = 20;

/**
 * Parses the rows of an export. Invalid rows are dropped by name. An unreadable file, a sheet without a required column
 * or with only invalid rows, and an export without any grade sheet are damage; other sheets of a workbook are noted,
 * unknown headings counted.
 */
export async function parseGradeSheet(
  name: string,
  bytes: Buffer,
  tally: Tally,
  unknown?: UnknownFields,
): Promise<SheetRow[]> {
  let tables: SheetTable[];
  try {
    tables = await parseSheetTables(name, bytes);
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse)) throw error;
    tally.damage(`${name}: ${error.message}`);
    return [];
  }
  const rows: SheetRow[] = [];
  let gradeSheets = 0;
  for (const table of tables) {
    const place = table.sheet === "" ? name : `${name}, sheet ${table.sheet}`;
    const headed = findHeader(table);
    const unsaved = unsavedIn(table, headed);
    if (unsaved !== undefined) tally.damage(`${place}: ${unsaved}`);
    if (!headed) {
      if (tables.length > 1) tally.note("a sheet of a workbook that is not a grade sheet", place);
      continue;
    }
    gradeSheets++;
    const { header, below } = headed;
    if (header.missing.length + header.repeated.length > 0) {
      tally.damage(`${place}: ${complaint(header)}`);
      continue;
    }
    const { kept, dropped } = readRows(table, below, header, place, tally);
    if (kept.length === 0 && dropped !== undefined)
      tally.damage(`${place}: none of its rows can be read, the first because of ${dropped}`);
    rows.push(...kept);
    for (const heading of header.unknown) unknown?.add({ kind: "heading", place: name, name: heading }, kept.length);
  }
  if (gradeSheets === 0)
    tally.damage(`${name}: no grade sheet: no row names the columns AcadYr, AcadTerm, CourseCode …`);
  return rows;
}

/** The header, and the index of the row below it. */
function findHeader({ rows }: SheetTable): { header: SheetHeader; below: number } | undefined {
  for (const [i, cells] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const header = parseSheetHeader(cells);
    if (header) return { header, below: i + 1 };
  }
  return undefined;
}

/** The most cells that a report names. */
const NAMED_CELLS = 5;

/**
 * Names the cells with a formula and no saved value, in the header and in columns that are read; undefined without any.
 */
function unsavedIn({ rows }: SheetTable, headed: ReturnType<typeof findHeader>): string | undefined {
  const columns = new Set<number>(headed && Object.values(headed.header.columns));
  const isRead = (row: number, column: number) => !headed || row < headed.below || columns.has(column);
  const names = rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) =>
      cell === UNSAVED_FORMULA && isRead(row, column) ? `${columnName(column)}${row + 1}` : [],
    ),
  );
  if (names.length === 0) return undefined;
  const shown = `${names.slice(0, NAMED_CELLS).join(", ")}${names.length > NAMED_CELLS ? ", …" : ""}`;
  const cells = names.length === 1 ? "1 cell has" : `${names.length} cells have`;
  return `${cells} a formula and no saved value (${shown}): ${REMEDY}`;
}

/** 1 → `B`. */
const columnName = (column: number): string =>
  (column < 26 ? "" : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

function complaint({ missing, repeated, unknown }: SheetHeader): string {
  const parts = [
    ...(missing.length > 0 ? [`missing columns ${missing.join(", ")}`] : []),
    ...(missing.length > 0 && unknown.length > 0 ? [`unknown columns ${unknown.join(", ")}`] : []),
    ...(repeated.length > 0 ? [`columns that occur twice ${repeated.join(", ")}`] : []),
  ];
  return parts.join("; ");
}

/** The rows, and why the first dropped row was dropped. */
function readRows(
  { rows, sheet, delimiter }: SheetTable,
  from: number,
  { columns }: SheetHeader,
  place: string,
  tally: Tally,
): { kept: SheetRow[]; dropped?: string } {
  const kept: SheetRow[] = [];
  let dropped: string | undefined;
  const width = delimiter === undefined ? Number.POSITIVE_INFINITY : (rows[from - 1]?.length ?? 0);
  const averages =
    columns.averageGPA === undefined ? [] : rows.slice(from).map((cells) => cellText(cells[columns.averageGPA ?? -1]));
  const decimal = decimalSignOf(averages, delimiter);
  for (let i = from; i < rows.length; i++) {
    const cells = rows[i] ?? [];
    if (cells.every((cell) => cellText(cell) === "" && cell !== UNSAVED_FORMULA)) continue;
    tally.read();
    const row = beyondColumns(cells, width) ?? parseRow(cells, columns, decimal, sheet, i + 1);
    if ("sectionCode" in row) {
      kept.push(row);
      const average = cellText(cells[columns.averageGPA ?? -1]);
      if (average !== "" && isNoAverage(average))
        tally.note("a placeholder instead of an average, read as blank", `${place} row ${i + 1}: ${average}`);
    } else {
      const reason = `${place} row ${i + 1}: ${row.said === "" ? "blank" : row.said}`;
      dropped ??= `${row.bad}, ${reason}`;
      tally.drop(row.bad, reason);
    }
  }
  return dropped === undefined ? { kept } : { kept, dropped };
}

/** An unquoted decimal comma splits a number into two cells. */
function beyondColumns(cells: readonly Cell[], width: number): BadRow | undefined {
  const beyond = cells.slice(width).map(cellText).filter(Boolean);
  return beyond.length === 0 ? undefined : { bad: "more cells than columns", said: beyond.join(", ") };
}

interface BadRow {
  bad: string;
  /** The text of the cell. */
  said: string;
}

/** Cells without which a row is invalid. */
const REQUIRED_CELLS: readonly SheetField[] = [
  ...(["academicYear", "calendarYear", "anyYear", "term", "courseNumber", "sectionCode"] as const),
  ...GRADE_COUNTS,
];

function parseRow(
  cells: readonly Cell[],
  columns: SheetHeader["columns"],
  decimal: DecimalSign,
  sheet: string,
  row: number,
): SheetRow | BadRow {
  const text = (field: SheetField): string => {
    const column = columns[field];
    return column === undefined ? "" : cellText(cells[column]);
  };
  const isUnsaved = REQUIRED_CELLS.some((field) => cells[columns[field] ?? -1] === UNSAVED_FORMULA);
  if (isUnsaved) return { bad: "a formula without a saved value", said: REMEDY };
  const quarter = parseSheetTerm(text("term"));
  if (!quarter) return { bad: "an unknown term", said: text("term") };
  const year = parseYear(text, quarter, decimal);
  if (typeof year !== "number") return year;
  const sectionCode = parseSectionCode(text("sectionCode"), decimal);
  if (sectionCode === undefined) return { bad: "a section code that is not 1 to 5 digits", said: text("sectionCode") };
  const courseNumber = text("courseNumber");
  if (courseNumber === "") return { bad: "no course number", said: sectionCode };
  const counts = {} as Record<GradeCount, number>;
  for (const name of GRADE_COUNTS) {
    const count = parseCount(text(name), decimal);
    if (count === undefined) {
      const isUnclear = isAmbiguous(text(name));
      return {
        bad: `a ${name} that ${isUnclear ? "may be a thousand or a fraction" : "is not a non-negative whole number"}`,
        said: text(name),
      };
    }
    counts[name] = count;
  }
  const averageGPA = parseAverage(text("averageGPA"));
  if (averageGPA === undefined) return { bad: "an average that is not a number from 0 to 4", said: text("averageGPA") };
  return {
    sheet,
    row,
    year: String(year),
    quarter,
    departmentName: text("departmentName"),
    department: text("department"),
    courseNumber,
    sectionCode,
    sectionType: text("sectionType"),
    sectionNum: text("sectionNum"),
    courseTitle: text("courseTitle"),
    instructor: cellLines(cells[columns.instructor ?? -1]),
    ...counts,
    averageGPA,
  };
}

/** The placeholder for an unknown year in intermediate files. */
const NO_YEAR = /^(?:0+(?:\.0+)?)?$/;

/** The calendar year from the years in the row (0 means none); contradictory years are invalid. */
function parseYear(
  text: (field: SheetField) => string,
  quarter: SheetRow["quarter"],
  decimal: DecimalSign,
): number | BadRow {
  const cells = [
    { said: text("calendarYear"), year: (said: string) => parseCalendarYear(said, decimal) },
    { said: text("academicYear"), year: (said: string) => parseAcademicYear(said, quarter) },
    {
      said: text("anyYear"),
      year: (said: string) => parseCalendarYear(said, decimal) ?? parseAcademicYear(said, quarter),
    },
  ];
  const years = cells.filter(({ said }) => !NO_YEAR.test(said)).map(({ said, year }) => year(said));
  const said = cells.flatMap((cell) => cell.said || []).join(" and ");
  const [first] = years;
  if (first === undefined || years.includes(undefined)) return { bad: "an unknown year", said };
  if (years.some((year) => year !== first)) {
    return { bad: "a calendar year and an academic year that contradict each other", said };
  }
  return first;
}
