/**
 * Converts rows of grade sheets to grades, with department, course number and instructors of the matching section.
 * **Output:** grades
 */
import {
  GRADE_COUNTS,
  knownAverage,
  LETTER_COUNTS,
  type Grade,
  type GradeCount,
  type SheetExport,
  type SheetRow,
} from "../../contract/rows/grade.ts";
import { courseDigits, type Quarter, type Term } from "../../contract/vocabulary.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { toSheetInstructors } from "../people/short-name.ts";
import { differencesOf } from "../reconcile.ts";
import { departmentsOf, namedOf, ROW_AND_SECTION, type RowFact } from "./row-and-section.ts";
import { type CountedSection, mergeDeliveries, mergeRows } from "./rows-of-section.ts";
import { type CandidateSection, matchRow, type SectionLookup } from "./section-match.ts";

/**
 * Joins sheet rows with published sections (pipeline/RULES.md, Grades) and merges the rows of a section.
 * @param exports oldest delivery first
 */
export function toGrades(exports: readonly SheetExport[], lookup: SectionLookup, tally: Tally): Grade[] {
  const counted = new Map<string, Map<Quarter, Map<string, CountedSection>>>();
  for (const from of exports) {
    const delivered = new Map<string, CountedSection>();
    for (const row of from.rows) {
      const section = toCountedSection(row, from, lookup, tally);
      if (!section) continue;
      const { year, quarter, sectionCode } = section.grade;
      const key = `${year} ${quarter} ${sectionCode}`;
      const earlier = delivered.get(key);
      delivered.set(key, earlier ? mergeRows(earlier, section, tally) : section);
    }
    for (const section of delivered.values()) {
      const { year, quarter, sectionCode } = section.grade;
      const quarters = entry(counted, year, () => new Map<Quarter, Map<string, CountedSection>>());
      const codes = entry(quarters, quarter, () => new Map<string, CountedSection>());
      const earlier = codes.get(sectionCode);
      codes.set(sectionCode, earlier ? mergeDeliveries(earlier, section, tally) : section);
    }
  }
  const grades: Grade[] = [];
  for (const quarters of counted.values()) {
    for (const codes of quarters.values()) {
      for (const { grade, name } of codes.values()) {
        if (grade.averageGPA === null && LETTER_COUNTS.some((count) => grade[count] > 0)) {
          tally.note("letter grades without the office's average", name);
        }
        grades.push(grade);
      }
    }
  }
  tally.keep(grades.length);
  return grades;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function toCountedSection(
  row: SheetRow,
  from: SheetExport,
  lookup: SectionLookup,
  tally: Tally,
): CountedSection | undefined {
  const course = `${row.departmentName || row.department} ${row.courseNumber}`;
  const place = row.sheet === "" ? from.name : `${from.name}, sheet ${row.sheet}`;
  const name = `${place} row ${row.row}: ${row.year} ${row.quarter} ${row.sectionCode} ${course}`;
  const match = matchRow(row, lookup);
  if (match.kind === "unmatched")
    return void tally.drop(match.reason, match.detail === undefined ? name : `${name}; ${match.detail}`);
  const { term } = match;
  const people = toSheetInstructors(
    row.instructor,
    (text) => {
      if (match.kind === "sheetOnly")
        tally.note("a placeholder instead of an instructor's name, left out", `${name}: ${text}`);
    },
    (text) => tally.note("an instructor's cell that may name several people, left out", `${name}: ${text}`),
  );
  if (match.kind === "section") {
    const { section } = match;
    noteDifferences({ row, departments: departmentsOf(row, lookup) }, section, name, tally);
    const { department, courseNumber, geCategories } = section;
    const named = namedOf(section);
    return toCounted(row, from, term, name, people, {
      department,
      courseNumber,
      instructors: named.length > 0 ? named : people,
      geCategories: [...geCategories],
      sheetOnly: false,
    });
  }
  const [department] = departmentsOf(row, lookup);
  if (department === undefined) {
    return void tally.drop("a term without published sections, and a department name that matches no department", name);
  }
  tally.note("published from the sheet alone: its term has no published sections", name);
  return toCounted(row, from, term, name, people, {
    department,
    courseNumber: row.courseNumber,
    instructors: people,
    geCategories: [],
    sheetOnly: true,
  });
}

/** The report's line for each kind of difference. */
const NOTED_AS: readonly (readonly [reason: string, facts: readonly RowFact[]])[] = [
  ["taken from a section that differs", ["courseNumber", "department", "sectionType", "sectionNum", "title"]],
  ["another instructor than the section's, which are kept", ["instructors"]],
];

function noteDifferences(
  sheet: Parameters<typeof ROW_AND_SECTION.isRefused>[1],
  section: CandidateSection,
  name: string,
  tally: Tally,
): void {
  for (const [reason, facts] of NOTED_AS) {
    const text = differencesOf(ROW_AND_SECTION, sheet, section, facts);
    if (text !== "") tally.note(reason, `${name}; ${text}`);
  }
}

type SectionFields = Pick<Grade, "department" | "courseNumber" | "instructors" | "geCategories" | "sheetOnly">;

function toCounted(
  row: SheetRow,
  from: SheetExport,
  term: Term,
  name: string,
  people: readonly string[],
  section: SectionFields,
): CountedSection {
  const counts = Object.fromEntries(GRADE_COUNTS.map((count) => [count, row[count]])) as Record<GradeCount, number>;
  const { year, quarter } = term;
  const { department, courseNumber, geCategories, instructors, sheetOnly } = section;
  const grade: Grade = {
    year,
    quarter,
    sectionCode: row.sectionCode,
    department,
    courseNumber,
    courseNumeric: courseDigits(courseNumber),
    geCategories,
    ...counts,
    averageGPA: knownAverage(row),
    instructors,
    sheetOnly,
    exportFile: from.name,
    exportSha256: from.sha256,
    exportSheet: row.sheet === "" ? null : row.sheet,
    exportRow: row.row,
  };
  return { grade, name, people };
}
