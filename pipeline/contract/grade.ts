/** Grade statistics: one row a section that reported grades. */
import { z } from "zod";
import { defineTable, hundredths, integer, type RowOf } from "./table.ts";
import { GE_CATEGORIES, QUARTERS } from "./vocabulary.ts";

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

/** The letter grades: a section without any of them reported Pass/No-Pass only, and its average does not count. */
export const LETTER_COUNTS = GRADE_COUNTS.slice(0, 5);

const counts = Object.fromEntries(GRADE_COUNTS.map((name) => [name, integer()])) as Record<
  GradeCount,
  ReturnType<typeof integer>
>;

export const grades = defineTable({
  name: "grades",
  about: "one row a section that reported grades; averageGPA is the records office's own number, 0 when it is blank",
  row: z.object({
    year: z.string(),
    quarter: z.enum(QUARTERS),
    sectionCode: z.string(),
    department: z.string(),
    courseNumber: z.string(),
    courseNumeric: integer(),
    geCategories: z.array(z.enum(GE_CATEGORIES)),
    ...counts,
    averageGPA: hundredths(),
    instructors: z.array(z.string()),
    /** True where no published section stood behind the row: department and instructor are the sheet's. */
    sheetOnly: z.boolean(),
  }),
  partitionedBy: ["year"],
  sortedBy: ["quarter", "sectionCode"],
  key: ["quarter", "sectionCode"],
});
export type Grade = RowOf<typeof grades>;

/** One row of a records-office export, in the contract's words but with nothing looked up yet. */
export const sheetRows = defineTable({
  name: "sheet_rows",
  about: "one row of a grade sheet, as delivered",
  row: z.object({
    /** Where it stands, for the report: sheet name and row number (the header is row 1). */
    sheet: z.string(),
    row: integer(),
    year: z.string(),
    /** `Summer` when the sheet does not say which session. */
    quarter: z.enum([...QUARTERS, "Summer"]),
    departmentName: z.string(),
    /** The department's code where the layout has one, else `""`. */
    department: z.string(),
    courseNumber: z.string(),
    sectionCode: z.string(),
    courseTitle: z.string(),
    instructor: z.string(),
    ...counts,
    averageGPA: z.number().nullable(),
  }),
  partitionedBy: [],
  sortedBy: [],
  key: [],
});
export type SheetRow = RowOf<typeof sheetRows>;
