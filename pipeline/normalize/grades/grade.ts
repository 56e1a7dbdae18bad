/**
 * Rows of grade sheets → grades, with department, course number and instructors of the matching section.
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
import { isNobody } from "../people/nobody.ts";
import { toSheetInstructors } from "../people/short-name.ts";
import { departmentsOf, matchRow, type SectionLookup } from "./section-match.ts";

/** A grade row and its source, for the report when a later delivery has the same section. */
interface Kept {
  grade: Grade;
  name: string;
}

/**
 * Joins sheet rows with our own sections (pipeline/RULES.md, Grades).
 *
 * Several rows of one section become one: with equal counts they complete each other's blanks (average, names); with different counts the later row is
 * a correction and replaces the earlier one.
 * @param exports oldest delivery first
 */
export function toGrades(exports: readonly SheetExport[], facts: SectionLookup, tally: Tally): Grade[] {
  const kept = new Map<string, Map<Quarter, Map<string, Kept>>>();
  for (const from of exports) {
    for (const row of from.rows) {
      const made = toGrade(row, from, facts, tally);
      if (!made) continue;
      const { year, quarter, sectionCode } = made.grade;
      const quarters = entry(kept, year, () => new Map<Quarter, Map<string, Kept>>());
      const codes = entry(quarters, quarter, () => new Map<string, Kept>());
      const before = codes.get(sectionCode);
      codes.set(sectionCode, before ? reconcile(before, made, tally) : made);
    }
  }
  const grades: Grade[] = [];
  for (const quarters of kept.values()) {
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

function toGrade(row: SheetRow, from: SheetExport, facts: SectionLookup, tally: Tally): Kept | undefined {
  const course = `${row.departmentName || row.department} ${row.courseNumber}`;
  const place = row.sheet === "" ? from.name : `${from.name}, sheet ${row.sheet}`;
  const name = `${place} row ${row.row}: ${row.year} ${row.quarter} ${row.sectionCode} ${course}`;
  const match = matchRow(row, facts);
  if (match.kind === "unmatched") return void tally.drop(match.reason, name);
  const { term } = match;
  if (match.kind === "section") {
    const { department, courseNumber, instructors, geCategories } = match.section;
    if (match.discrepancy !== undefined)
      tally.note("taken from a section that differs", `${name}; ${match.discrepancy}`);
    const named = [...new Set(instructors)].filter((instructor) => !isNobody(instructor));
    return keep(row, from, term, name, {
      department,
      courseNumber,
      instructors: named,
      geCategories: [...geCategories],
      sheetOnly: false,
    });
  }
  const [department] = departmentsOf(row, facts);
  if (department === undefined) {
    return void tally.drop("a term without published sections, and a department name that matches no department", name);
  }
  tally.note("published from the sheet alone: its term has no published sections", name);
  const instructors = toSheetInstructors(row.instructor, (text) =>
    tally.note("a placeholder instead of an instructor's name, left out", `${name}: ${text}`),
  );
  return keep(row, from, term, name, {
    department,
    courseNumber: row.courseNumber,
    instructors,
    geCategories: [],
    sheetOnly: true,
  });
}

type SectionFields = Pick<Grade, "department" | "courseNumber" | "instructors" | "geCategories" | "sheetOnly">;

function keep(row: SheetRow, from: SheetExport, term: Term, name: string, section: SectionFields): Kept {
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
  return { grade, name };
}

function reconcile(before: Kept, after: Kept, tally: Tally): Kept {
  const sameCounts = GRADE_COUNTS.every((count) => before.grade[count] === after.grade[count]);
  const [earlier, later] = [before.grade.averageGPA, after.grade.averageGPA];
  if (!sameCounts || (earlier !== null && later !== null && earlier !== later)) {
    tally.drop("replaced by a later row of the same section with other figures", `${before.name}; by ${after.name}`);
    return after;
  }
  tally.note("a section that several rows count alike", `${before.name}; and ${after.name}`);
  const instructors = after.grade.instructors.length > 0 ? after.grade.instructors : before.grade.instructors;
  return { ...after, grade: { ...after.grade, averageGPA: later ?? earlier, instructors } };
}
