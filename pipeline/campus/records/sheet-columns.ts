/** The columns of the three layouts in which the office has delivered grade counts, and their values in a row. */
import type { CampusGrade } from "../grades.ts";
import { NO_INSTRUCTOR } from "../facts/grades.ts";
import { draw, hashText } from "../random.ts";
import { academicTerm, academicYear } from "./academic-year.ts";

export type Layout = "academic" | "academicWithLevel" | "calendarYear";

/** A column: its header, whether a spreadsheet takes it for numbers, and a row's value ("" = no cell). */
export interface Column {
  readonly header: string;
  readonly numeric: boolean;
  read(row: CampusGrade): string | number;
}

const LETTERS = ["A", "B", "C", "D", "F", "P", "NP", "W"] as const;
const LEVELS = ["FACULTY-LADDER RANKS", "FACULTY-LECTURERS", "TEACHING ASSISTANTS", ""] as const;

const text = (header: string, read: (row: CampusGrade) => string): Column => ({ header, numeric: false, read });
const number = (header: string, read: (row: CampusGrade) => string | number): Column => ({
  header,
  numeric: true,
  read,
});

const keyOf = (row: CampusGrade): number => hashText(`${row.term.code} ${row.sectionCode}`);

const year = text("AcadYr", ({ term }) => academicYear(term));
const calendarYear = number("CalYr", ({ term }) => term.year);
const term = text("AcadTerm", (row) => academicTerm(row.term));
const department = text("DepartmentNameByCourseCode", (row) => row.departmentName);
const courseNumber = text("CourseNumber", (row) => row.courseNumber);
const code = number("CourseCode", (row) => row.sectionCode);
const sectionNumber = text("SectionNumber", (row) => row.sectionNum);
// Half of the ampersands went through an HTML encoder.
const title = text("CourseTitle", (row) =>
  keyOf(row) % 2 === 0 ? row.courseTitle.replaceAll("&", "&amp;") : row.courseTitle,
);
const type = text("ClassType", (row) => row.sectionType.toUpperCase());
const instructor = text("Instructor1Name", instructorName);
const level = text("CTOLevel1Desc", (row) => LEVELS[Math.floor(draw(keyOf(row), 1) * LEVELS.length)] as string);
const counts = LETTERS.map((letter, i) => number(`Grade${letter}Count`, (row) => row.counts[i] as number));
const gpa = number("Avg. GradedGPAAvg", (row) => row.gpa?.toFixed(2) ?? "");

export const LAYOUT_COLUMNS: Readonly<Record<Layout, readonly Column[]>> = {
  academic: [year, term, department, courseNumber, code, sectionNumber, title, type, instructor, ...counts, gpa],
  academicWithLevel: [
    year,
    term,
    department,
    courseNumber,
    code,
    sectionNumber,
    title,
    type,
    instructor,
    level,
    ...counts,
    gpa,
  ],
  calendarYear: [
    calendarYear,
    term,
    code,
    department,
    courseNumber,
    sectionNumber,
    title,
    type,
    instructor,
    ...counts,
    gpa,
  ],
};

/** `GARZA RODRIGUE, A.` → `Garza Rodrigue A.`; the first name only, and a filler if there is none. */
function instructorName(row: CampusGrade): string {
  const [first] = row.instructors;
  if (first === undefined) return NO_INSTRUCTOR[keyOf(row) % NO_INSTRUCTOR.length] as string;
  return first
    .replace(/,\s*/, " ")
    .trim()
    .toLowerCase()
    .replace(/(^|[\s'.-])(\p{L})/gu, (_, boundary: string, letter: string) => boundary + letter.toUpperCase());
}
