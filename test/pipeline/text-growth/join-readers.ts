/** How the functions that join records of two sources are called with one text, which both records give. */
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { toFormerNames } from "../../../pipeline/normalize/catalogue/former-names.ts";
import * as printed from "../../../pipeline/normalize/catalogue/printed-names.ts";
import { courseNumberKey } from "../../../pipeline/normalize/course-number-key.ts";
import { dayAndSection, sectionName } from "../../../pipeline/normalize/enrollment/day-and-section.ts";
import { toGrades } from "../../../pipeline/normalize/grades/grade.ts";
import * as rowAndSection from "../../../pipeline/normalize/grades/row-and-section.ts";
import { matchRow, type SectionLookup } from "../../../pipeline/normalize/grades/section-match.ts";
import { createDepartmentNames } from "../../../pipeline/normalize/people/department-names.ts";
import { byKey, differencesOf, reconcile } from "../../../pipeline/normalize/reconcile.ts";
import { isSameTitle } from "../../../pipeline/normalize/titles.ts";
import { row as gradeRow } from "../normalize/grade-world.ts";
import { NAMES } from "./people-readers.ts";
import { distinctIn, linesIn, reads, type TextReaders } from "./reader.ts";

const FORMER = "I&C SCI H32 * I&C SCI 32A, 33 since W24";
const COURSE = ["0020B WAVES & Law", "Criminology, Law &amp; Society"];

const day = (text: string) => ({ department: text, courseNumber: text, sectionType: text, sectionNum: text });
const join = dayAndSection("the section", () => undefined);
const row = (text: string) =>
  gradeRow({ departmentName: text, courseNumber: text, courseTitle: text, sectionNum: text, instructor: text });
const section = (text: string): rowAndSection.CandidateSection => ({
  ...{ department: text, departmentName: text, courseNumber: text, courseTitle: `${text} A`, sectionNum: text },
  ...{ instructors: linesIn(text), geCategories: [] },
});
const lookup = { isPublished: () => true, find: () => undefined, departmentByName: () => undefined };

const lookupOf = (line: string): SectionLookup => ({
  isPublished: () => true,
  find: () => ({
    department: line,
    courseNumber: line,
    courseTitle: line,
    departmentName: line,
    instructors: [line],
    geCategories: [],
  }),
  departmentByName: createDepartmentNames([["Physics", "PHYSICS"]]),
});
const sheetRow = (text: string) =>
  gradeRow({ departmentName: text, courseNumber: text, courseTitle: text, instructor: text });

export const JOIN_READERS: TextReaders = {
  "normalize/catalogue/former-names.ts": {
    toFormerNames: reads((text) => {
      const rows = distinctIn(text).map((line) => ({ course: line, requirement: `( ${line} )` }));
      return toFormerNames(rows, { catalogued: new Map(), published: [] }, createTally("catalogue"));
    }, FORMER),
  },
  "normalize/catalogue/printed-names.ts": {
    readPrintedNames: reads(printed.readPrintedNames, FORMER, "A 1 * B 2 and C 3 * D 4 since: Fall 2024"),
    namesInRequirement: reads(printed.namesInRequirement, `( NO ${FORMER} ( min grade = C ) OR B 2 )`),
    printNames: null,
    readPrintedTerm: reads(printed.readPrintedTerm, "Summer Session 10wk 2024", "2025-92", "SS1 24"),
  },
  "normalize/course-number-key.ts": { courseNumberKey: reads(courseNumberKey, "00 20b") },
  "normalize/enrollment/day-and-section.ts": {
    dayAndSection: reads((text) => reconcile(join, day(text), day(`${text} A`)), ...COURSE),
    sectionName: reads((text) => sectionName(day(text)), ...COURSE),
  },
  "normalize/grades/row-and-section.ts": {
    departmentsOf: reads((text) => rowAndSection.departmentsOf(row(text), lookup), ...COURSE),
    namedOf: reads((text) => rowAndSection.namedOf(section(text)), "VANE, I.\nSTAFF"),
    compareNumbers: reads((text) => rowAndSection.compareNumbers(text, `${text}A`), "0020B"),
    isSameNumber: null,
  },
  "normalize/grades/rows-of-section.ts": { mergeRows: null, mergeDeliveries: null },
  "normalize/grades/grade.ts": {
    toGrades: reads(
      (text) =>
        toGrades(
          [{ name: "a", sha256: "", rows: distinctIn(text).map(sheetRow) }],
          lookupOf("PHYSICS"),
          createTally("grades"),
        ),
      ...NAMES,
    ),
  },
  "normalize/grades/section-match.ts": {
    matchRow: reads((text) => matchRow(sheetRow(text), lookupOf(text)), "0020B WAVES & Law"),
  },
  "normalize/reconcile.ts": {
    byKey: reads((text) => byKey(courseNumberKey)([text, `${text}A`]), ...COURSE),
    reconcile: reads(
      (text) => reconcile(rowAndSection.ROW_AND_SECTION, { row: row(text), departments: [] }, section(text)),
      ...COURSE,
    ),
    differencesOf: reads((text) => differencesOf(join, day(text), day(`${text} A`)), ...COURSE),
    namesOf: null,
  },
  "normalize/titles.ts": {
    isSameTitle: reads((text) => isSameTitle(text, `${text} ANALYSIS`), "DSGN&ANLYSS OF ALGR", ...COURSE),
  },
};
