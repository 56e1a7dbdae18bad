/** Grades by students. */
import { GRADE_COUNTS, grades, LETTER_COUNTS } from "../rows/grade.ts";
import { descriptionsOf, type View } from "./view.ts";

const LETTERS = LETTER_COUNTS.join(" + ");

/**
 * `sum(gpaPoints) / sum(gpaStudents)` is the mean over students, `avg(averageGPA)` the one over sections. The counts have no plus and minus, so that the
 * points are the section's average times its letter grades: exact but for the two decimals of that average.
 */
export const gradeStudents: View = {
  name: "grade_students",
  about:
    "one row a section that reported grades, with its students counted; sum(gpaPoints) / sum(gpaStudents) is the mean grade of students, where avg(averageGPA) is that of sections",
  tables: [grades.name],
  select: `SELECT year, quarter, sectionCode, department, courseNumber, courseNumeric, ${LETTERS} AS letterStudents,
    gradePCount + gradeNPCount AS passNoPassStudents, gradeWCount AS withdrawnStudents, ${GRADE_COUNTS.join(" + ")} AS students, averageGPA,
    averageGPA * (${LETTERS}) AS gpaPoints, CASE WHEN averageGPA IS NOT NULL THEN ${LETTERS} END AS gpaStudents FROM ${grades.name}`,
  descriptions: {
    ...descriptionsOf(grades),
    letterStudents: "students with a letter grade, A to F",
    passNoPassStudents: "students with Pass or No Pass",
    withdrawnStudents: "students who withdrew",
    students: "all of them: letter grades, Pass, No Pass and withdrawals",
    gpaPoints:
      "averageGPA times letterStudents, an estimate of their grade points: the counts have no plus and minus, and the average has two decimals; NULL without an average",
    gpaStudents: "letterStudents of a section with an average, else NULL: what gpaPoints is to be divided by",
  },
};
