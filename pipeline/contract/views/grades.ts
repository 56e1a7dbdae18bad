/** Grades by students, of sections and of their instructors. */
import { z } from "zod";
import { shortenedName } from "../rows/fields.ts";
import { GRADE_COUNTS, grades, LETTER_COUNTS } from "../rows/grade.ts";
import { fieldsOf, integer } from "../table.ts";
import { defineView } from "./view.ts";

const LETTERS = LETTER_COUNTS.join(" + ");
const SECTION = "year, quarter, sectionCode, department, courseNumber, courseNumeric";

const { year, quarter, sectionCode, department, courseNumber, courseNumeric, averageGPA, instructors } =
  grades.row.shape;
const section = { year, quarter, sectionCode, department, courseNumber, courseNumeric };
const ESTIMATE =
  "averageGPA times letterStudents, an estimate of their grade points: the counts have no plus and minus, and the average has two decimals; NULL without an average";
const students = {
  letterStudents: integer().describe("students with a letter grade, A to F"),
  passNoPassStudents: integer().describe("students with Pass or No Pass"),
  withdrawnStudents: integer().describe("students who withdrew"),
  students: integer().describe("all of them: letter grades, Pass, No Pass and withdrawals"),
  averageGPA,
  gpaPoints: z.number().nullable().describe(ESTIMATE),
  gpaStudents: integer()
    .nullable()
    .describe("letterStudents of a section with an average, else NULL: what gpaPoints is to be divided by"),
};

const STUDENTS = `${LETTERS} AS letterStudents, gradePCount + gradeNPCount AS passNoPassStudents, gradeWCount AS withdrawnStudents,
    ${GRADE_COUNTS.join(" + ")} AS students, averageGPA, round(averageGPA * (${LETTERS}), 2) AS gpaPoints,
    CASE WHEN averageGPA IS NOT NULL THEN ${LETTERS} END AS gpaStudents`;

/**
 * `sum(gpaPoints) / sum(gpaStudents)` is the mean over students, `avg(averageGPA)` the mean over sections. The counts
 * do not distinguish plus and minus, so the points are the section's average times its letter grades: exact except for
 * the two decimals of that average.
 */
export const gradeStudents = defineView({
  name: "grade_students",
  about:
    "one row per section that reported grades, with its students counted; sum(gpaPoints) / sum(gpaStudents) is the mean grade of students, where avg(averageGPA) is that of sections",
  row: z.object({ ...section, ...students, instructors }),
  tables: [grades.name],
  partitionedBy: grades.partitionedBy,
  sortedBy: grades.sortedBy,
  key: grades.key,
  select: `SELECT ${SECTION}, ${STUDENTS}, instructors FROM ${grades.name}`,
});

export const gradeInstructors = defineView({
  name: "grade_instructors",
  about:
    "one row per section that reported grades and instructor of it, with the numbers of grade_students; a section that several taught counts for each of them",
  row: z.object({
    ...fieldsOf(section, ["year", "quarter", "sectionCode"]),
    instructor: shortenedName().describe("shortened name, `LASTNAME, F.`; several people may share one"),
    instructorCount: integer().describe("how many instructors the section names; more than 1 where it was co-taught"),
    ...fieldsOf(section, ["department", "courseNumber", "courseNumeric"]),
    ...students,
  }),
  tables: [grades.name],
  partitionedBy: grades.partitionedBy,
  sortedBy: [],
  key: [],
  select: `SELECT ${SECTION}, ${STUDENTS}, unnest(instructors) AS instructor, len(instructors)::INTEGER AS instructorCount FROM ${grades.name}`,
});
