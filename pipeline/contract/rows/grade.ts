/** Grade statistics, a row for each section that reported grades. */
import { z } from "zod";
import {
  courseNumber,
  courseNumeric,
  deptCode,
  geCategories,
  quarter,
  sectionCode,
  shortenedName,
  year,
} from "./fields.ts";
import { AVERAGE, formed } from "../forms.ts";
import { defineTable, integer, type RowOf } from "../table.ts";
import type { UnknownField } from "../source-fields.ts";
import { QUARTERS } from "../vocabulary.ts";

/** The count columns in the order in which they are served. */
export const GRADE_COUNTS = [
  "gradeACount",
  "gradeBCount",
  "gradeCCount",
  "gradeDCount",
  "gradeFCount",
  "gradePCount",
  "gradeNPCount",
  "gradeWCount",
] as const;
export type GradeCount = (typeof GRADE_COUNTS)[number];

/** A section without letter grades reported Pass/No-Pass only, and its average does not count. */
export const LETTER_COUNTS = GRADE_COUNTS.slice(0, 5);

const gradeOf = (name: GradeCount): string => {
  const grade = name.slice("grade".length, -"Count".length);
  return { P: "Pass", NP: "No Pass", W: "a withdrawal" }[grade] ?? `grade ${grade}, with plus or minus`;
};

const counts = Object.fromEntries(
  GRADE_COUNTS.map((name) => [name, integer().describe(`students with ${gradeOf(name)}`)]),
) as Record<GradeCount, ReturnType<typeof integer>>;

export const grades = defineTable({
  name: "grades",
  about:
    "one row per section that reported grades; averageGPA is the records office's own number, NULL when it is blank",
  row: z.object({
    year: year(),
    quarter: quarter(),
    sectionCode: sectionCode(),
    department: deptCode(),
    courseNumber: courseNumber(),
    courseNumeric: courseNumeric(),
    geCategories: geCategories(),
    ...counts,
    averageGPA: formed(z.number(), AVERAGE)
      .nullable()
      .describe("the records office's average, 0 to 4; NULL when it gives none"),
    instructors: z.array(shortenedName()).describe("instructors by shortened name, `LASTNAME, F.`; never `STAFF`"),
    sheetOnly: z
      .boolean()
      .describe("true when no published section matched: department and instructor are the sheet's"),
    exportFile: z.string().describe("records-office export that the row came from"),
    exportSha256: z.string().describe("hash of that export"),
    exportSheet: z.string().nullable().describe("sheet of that export; NULL for a CSV file"),
    exportRow: integer().describe("row of that sheet or file, counted from 1"),
  }),
  partitionedBy: ["year"],
  sortedBy: ["quarter", "sectionCode"],
  key: ["quarter", "sectionCode"],
});
export type Grade = RowOf<typeof grades>;

/**
 * The average of a row, null when blank: some sheets have 0 for blank. A true 0 requires that every letter grade is an
 * F.
 */
export function knownAverage(row: Pick<Grade, GradeCount | "averageGPA">): number | null {
  if (row.averageGPA !== 0) return row.averageGPA;
  return LETTER_COUNTS.every((count) => (count === "gradeFCount" ? row[count] > 0 : row[count] === 0)) ? 0 : null;
}

/** A row of a records-office export, before it is matched with a section. */
export const sheetRows = defineTable({
  name: "sheet_rows",
  about: "one row of a grade sheet, as delivered",
  row: z.object({
    /** The sheet's name, empty for a CSV file, and the row number. */
    sheet: z.string(),
    row: integer(),
    year: z.string(),
    /** `Summer` when the sheet does not name the session. */
    quarter: z.enum([...QUARTERS, "Summer"]),
    departmentName: z.string(),
    /** The department's code if the layout has it, else `""`. */
    department: z.string(),
    courseNumber: z.string(),
    sectionCode: z.string(),
    /** `LEC`, and the section's number or letter; `""` if the layout has none. */
    sectionType: z.string(),
    sectionNum: z.string(),
    courseTitle: z.string(),
    /** The text of the cell, line ends included: it may name several people. */
    instructor: z.string(),
    ...counts,
    averageGPA: z.number().nullable(),
  }),
  partitionedBy: [],
  sortedBy: [],
  key: [],
});
export type SheetRow = RowOf<typeof sheetRows>;

/** The rows of an export. */
export interface SheetExport {
  readonly name: string;
  readonly sha256: string;
  readonly rows: readonly SheetRow[];
  /** Headings that the parser does not know. */
  readonly unknown?: readonly UnknownField[];
}
