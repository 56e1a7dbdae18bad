/**
 * Finds the columns of a grade sheet by name, in any order, as columns and their names vary between deliveries (`Course
 * number`, `CourseNumber`). Unknown columns are counted, as a known column may have been renamed.
 */
import { GRADE_COUNTS, type GradeCount } from "../../contract/rows/grade.ts";
import type { KnownField } from "../../contract/source-fields.ts";
import { cellText, type Cell } from "./sheet-table.ts";

export type SheetField =
  | "academicYear"
  | "calendarYear"
  | "anyYear"
  | "term"
  | "departmentName"
  | "department"
  | "courseNumber"
  | "sectionCode"
  | "sectionNum"
  | "sectionType"
  | "courseTitle"
  | "instructor"
  | GradeCount
  | "averageGPA";

/**
 * Names of each field's column, the preferred one first, compared only by letters and digits: first the office's
 * (`AcadYr` … `Avg. GradedGPAAvg`), then those of intermediate files.
 */
const COLUMN_NAMES: Readonly<Record<Exclude<SheetField, GradeCount>, readonly string[]>> = {
  academicYear: ["AcadYr", "AcademicYear"],
  calendarYear: ["CalYr", "CalendarYear", "exact_year"],
  anyYear: ["year"],
  term: ["AcadTerm", "quarter", "term"],
  departmentName: ["DepartmentNameByCourseCode", "DepartmentName", "dept_name", "dept", "department"],
  department: ["dept_code", "DepartmentCode", "department"],
  courseNumber: ["CourseNumber", "number"],
  sectionCode: ["CourseCode", "SectionCode", "code"],
  sectionNum: ["SectionNumber", "section"],
  sectionType: ["ClassType", "type"],
  courseTitle: ["CourseTitle", "title"],
  instructor: ["Instructor1Name", "InstructorName", "instructor", "instructors"],
  averageGPA: ["Avg. GradedGPAAvg", "GradedGPAAvg", "gpaAvg", "avg_gpa", "averageGPA"],
};

/** `GradeACount`, or just `A`. */
const countNames = (count: GradeCount): readonly string[] => {
  const letters = count.replace(/^grade(.*)Count$/, "$1");
  return [`Grade${letters}Count`, letters];
};

/** A sheet needs at least one column of each line. */
const REQUIRED: readonly (readonly SheetField[])[] = [
  ["academicYear", "calendarYear", "anyYear"],
  ["term"],
  ["departmentName", "department"],
  ["courseNumber"],
  ["sectionCode"],
  ...GRADE_COUNTS.map((count) => [count]),
];

/**
 * A row with fewer known columns, apart from one-letter ones, is not a header but a title, a note, a legend or data.
 */
const LEAST_KNOWN_COLUMNS = 3;

/** Columns that are known and ignored. */
const UNREAD_COLUMNS = ["CourseLevel", "CTOLevel1Desc"];

/** Columns that are compared with the section's. They do not make a row a header, and are ignored when repeated. */
const COMPARED: ReadonlySet<SheetField> = new Set<SheetField>(["sectionNum", "sectionType"]);

export interface SheetHeader {
  /** Index of each field's column. */
  readonly columns: Readonly<Partial<Record<SheetField, number>>>;
  /** Missing required columns, by the office's name. */
  readonly missing: readonly string[];
  /** Ambiguous columns, which occur more than once. */
  readonly repeated: readonly string[];
  /** Headings of unknown columns, as written. */
  readonly unknown: readonly string[];
}

const columnKey = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const NAMES_BY_FIELD: readonly (readonly [SheetField, readonly string[]])[] = [
  ...(Object.keys(COLUMN_NAMES) as (keyof typeof COLUMN_NAMES)[]).map((field) => [field, COLUMN_NAMES[field]] as const),
  ...GRADE_COUNTS.map((count) => [count, countNames(count)] as const),
];

/** The columns of the grades that each field fills, in any export. */
const FILLS: Readonly<Partial<Record<SheetField, readonly string[]>>> = {
  departmentName: ["department"],
  department: ["department"],
  courseNumber: ["courseNumber", "courseNumeric"],
  instructor: ["instructors"],
  averageGPA: ["averageGPA"],
  ...Object.fromEntries(GRADE_COUNTS.map((count) => [count, [count]])),
};

/** The headings that a sheet of this export may have. */
export const sheetFields = (place: string): KnownField[] => [
  ...NAMES_BY_FIELD.flatMap(([field, names]) =>
    names.map((name): KnownField => ({ kind: "heading", place, name, fills: FILLS[field] ?? [] })),
  ),
  ...UNREAD_COLUMNS.map((name): KnownField => ({ kind: "heading", place, name, fills: [] })),
];

const KNOWN_KEYS: ReadonlySet<string> = new Set(sheetFields("").map(({ name }) => columnKey(name)));

const officeName = (field: SheetField): string => NAMES_BY_FIELD.find(([name]) => name === field)?.[1][0] ?? field;

/** Returns undefined when the row is not a header. */
export function parseSheetHeader(cells: readonly Cell[]): SheetHeader | undefined {
  const keys = cells.map((cell) => columnKey(cellText(cell)));
  const columns: Partial<Record<SheetField, number>> = {};
  const repeated: string[] = [];
  for (const [field, names] of NAMES_BY_FIELD) {
    const key = names.map(columnKey).find((name) => keys.includes(name));
    if (key === undefined) continue;
    const isRepeated = keys.indexOf(key) !== keys.lastIndexOf(key);
    if (isRepeated && COMPARED.has(field)) continue;
    columns[field] = keys.indexOf(key);
    if (isRepeated) repeated.push(cellText(cells[keys.indexOf(key)]));
  }
  const telling = new Set(
    (Object.entries(columns) as [SheetField, number][])
      .filter(([field, column]) => !COMPARED.has(field) && (keys[column] ?? "").length > 2)
      .map(([, column]) => column),
  );
  if (telling.size < LEAST_KNOWN_COLUMNS) return undefined;
  const missing = REQUIRED.filter((fields) => fields.every((field) => columns[field] === undefined));
  const unknown = cells.map(cellText).filter((name) => name !== "" && !KNOWN_KEYS.has(columnKey(name)));
  return { columns, missing: missing.map((fields) => fields.map(officeName).join(" or ")), repeated, unknown };
}
