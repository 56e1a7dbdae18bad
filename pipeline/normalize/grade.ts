/**
 * Grade rows: what a sheet counts, under the department, course number and instructors of the section that it counts.
 * **Output:** grades
 */
import {
  GRADE_COUNTS,
  knownAverage,
  LETTER_COUNTS,
  type Grade,
  type GradeCount,
  type SheetRow,
} from "../contract/grade.ts";
import { courseDigits, type Quarter, type Term } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/tally.ts";
import { departmentsOf, matchRow, type SectionLookup } from "./section-match.ts";
import { toSheetInstructors } from "./sheet-instructor.ts";

/** A grade row and where it came from, so that a second delivery of the same section can be compared with it. */
interface Kept {
  grade: Grade;
  name: string;
}

/**
 * Joins sheet rows with our own sections (behaviour §3 and §8). Rows are given oldest delivery first. Everything that is not published is dropped by name.
 *
 * A section that several rows count is one row: where their counts agree, what one leaves blank (average, names) the other fills, and the
 * repetition is noted; where they differ, the later row is the office's correction, and the earlier is dropped by name with the one that replaced it.
 */
export function toGrades(rows: readonly SheetRow[], facts: SectionLookup, tally: Tally): Grade[] {
  const kept = new Map<string, Map<Quarter, Map<string, Kept>>>();
  for (const row of rows) {
    const made = toGrade(row, facts, tally);
    if (!made) continue;
    const { year, quarter, sectionCode } = made.grade;
    const quarters = entry(kept, year, () => new Map<Quarter, Map<string, Kept>>());
    const codes = entry(quarters, quarter, () => new Map<string, Kept>());
    const before = codes.get(sectionCode);
    codes.set(sectionCode, before ? reconcile(before, made, tally) : made);
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

function toGrade(row: SheetRow, facts: SectionLookup, tally: Tally): Kept | undefined {
  const course = `${row.departmentName || row.department} ${row.courseNumber}`;
  const name = `${row.sheet} row ${row.row}: ${row.year} ${row.quarter} ${row.sectionCode} ${course}`;
  const match = matchRow(row, facts);
  if (match.kind === "unmatched") return void tally.drop(match.reason, name);
  const { term } = match;
  if (match.kind === "section") {
    const { department, courseNumber, instructors, geCategories } = match.section;
    if (match.discrepancy !== undefined)
      tally.note("taken from a section that differs", `${name}; ${match.discrepancy}`);
    const named = [...new Set(instructors)].filter((instructor) => instructor.trim().toUpperCase() !== "STAFF");
    return keep(row, term, name, {
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
  const instructors = toSheetInstructors(row.instructor);
  return keep(row, term, name, {
    department,
    courseNumber: row.courseNumber,
    instructors,
    geCategories: [],
    sheetOnly: true,
  });
}

type Looked = Pick<Grade, "department" | "courseNumber" | "instructors" | "geCategories" | "sheetOnly">;

function keep(row: SheetRow, term: Term, name: string, looked: Looked): Kept {
  const counts = Object.fromEntries(GRADE_COUNTS.map((count) => [count, row[count]])) as Record<GradeCount, number>;
  const { year, quarter } = term;
  const { department, courseNumber, geCategories, instructors, sheetOnly } = looked;
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
  };
  return { grade, name };
}

function reconcile(before: Kept, after: Kept, tally: Tally): Kept {
  const counted = GRADE_COUNTS.every((count) => before.grade[count] === after.grade[count]);
  const [earlier, later] = [before.grade.averageGPA, after.grade.averageGPA];
  if (!counted || (earlier !== null && later !== null && earlier !== later)) {
    tally.drop("replaced by a later row of the same section with other figures", `${before.name}; by ${after.name}`);
    return after;
  }
  tally.note("a section that several rows count alike", `${before.name}; and ${after.name}`);
  const instructors = after.grade.instructors.length > 0 ? after.grade.instructors : before.grade.instructors;
  return { ...after, grade: { ...after.grade, averageGPA: later ?? earlier, instructors } };
}
