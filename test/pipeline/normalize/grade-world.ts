/** Sheet rows and a small world of sections for the tests of grades. */
import { expect } from "vitest";
import {
  grades as gradesTable,
  type Grade,
  type SheetExport,
  type SheetRow,
} from "../../../pipeline/contract/rows/grade.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { createDepartmentNames } from "../../../pipeline/normalize/people/department-names.ts";
import { toGrades } from "../../../pipeline/normalize/grades/grade.ts";
import type { CandidateSection, SectionLookup } from "../../../pipeline/normalize/grades/section-match.ts";
import type { Dropped } from "../../../pipeline/contract/documents/run-report.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";

const departmentByName = createDepartmentNames([
  ["Information and Computer Science", "I&C SCI"],
  ["Physics", "PHYSICS"],
  ["Criminology, Law and Society", "CRM/LAW"],
]);

/**
 * A world of a few sections: `[year, quarter, code, section]`. A term is published when it has a section, or is listed
 * as empty.
 */
export type Listed = [year: string, quarter: Quarter, code: string, section: Partial<CandidateSection>];

function factsOf(sections: readonly Listed[]): SectionLookup {
  return {
    isPublished: ({ year, quarter }) => sections.some((section) => section[0] === year && section[1] === quarter),
    find({ year, quarter }, code) {
      const listed = sections.find((section) => section[0] === year && section[1] === quarter && section[2] === code);
      const blank = { department: "PHYSICS", courseNumber: "20", instructors: [], geCategories: [] };
      return listed && { ...blank, ...listed[3] };
    },
    departmentByName,
  };
}

/** A row of 2016 Fall, Physics 20, code 44010. */
export const row = (over: Partial<SheetRow> = {}): SheetRow => ({
  sheet: "",
  row: 2,
  year: "2016",
  quarter: "Fall",
  departmentName: "Physics",
  department: "",
  courseNumber: "20",
  sectionCode: "44010",
  sectionType: "",
  sectionNum: "",
  courseTitle: "WAVES",
  instructor: "Oakford T.",
  gradeACount: 5,
  gradeBCount: 4,
  gradeCCount: 3,
  gradeDCount: 2,
  gradeFCount: 1,
  gradePCount: 6,
  gradeNPCount: 7,
  gradeWCount: 8,
  averageGPA: 2.61,
  ...over,
});

/** Makes 2016 Fall a published term. */
export const filler: Listed = ["2016", "Fall", "99", {}];
/** Makes all three sessions of the summer of 2016 published. */
export const allSummers = (["Summer1", "Summer10wk", "Summer2"] as const).map((quarter): Listed => [
  "2016",
  quarter,
  "99",
  {},
]);

const CSV = { name: "a.csv", sha256: "a".repeat(64) };
const WORKBOOK = { name: "b.xlsx", sha256: "b".repeat(64) };

interface Joined {
  grades: Grade[];
  dropped: Dropped[];
  noted: Dropped[];
}

/** Joins rows, each of an export of its own, with sections, and checks what holds of every join. */
export const make = (rows: readonly SheetRow[], sections: readonly Listed[]): Joined =>
  join(
    rows.map((row) => ({ ...(row.sheet === "" ? CSV : WORKBOOK), rows: [row] })),
    sections,
  );

/** The same for rows of several exports, without sections. */
export const makeOf = (exports: readonly (readonly SheetRow[])[]): Joined =>
  join(
    exports.map((rows) => ({ ...CSV, rows })),
    [],
  );

function join(exports: readonly SheetExport[], sections: readonly Listed[]): Joined {
  const tally = createTally("grades");
  const grades = toGrades(exports, factsOf(sections), tally);
  for (const grade of grades) gradesTable.row.parse(grade);
  const { kept, dropped, noted, damaged } = tally.report("published", 0);
  expect(kept).toBe(grades.length);
  expect(damaged).toEqual([]);
  return { grades, dropped, noted };
}
