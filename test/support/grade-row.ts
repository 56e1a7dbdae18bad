import type { Grade } from "../../pipeline/contract/rows/grade.ts";

/** A grade row of 2024 Fall, with the differences in `change`. */
export function gradeRow(change: Partial<Grade> = {}): Grade {
  return {
    year: "2024",
    quarter: "Fall",
    sectionCode: "34160",
    department: "I&C SCI",
    courseNumber: "46",
    courseNumeric: 46,
    geCategories: ["GE-5B"],
    gradeACount: 34,
    gradeBCount: 19,
    gradeCCount: 40,
    gradeDCount: 0,
    gradeFCount: 18,
    gradePCount: 3,
    gradeNPCount: 5,
    gradeWCount: 4,
    averageGPA: 2.45,
    instructors: ["AMBERLEY, R."],
    sheetOnly: false,
    exportFile: "UG_Grades_2024-25.csv",
    exportSha256: "a".repeat(64),
    exportSheet: null,
    exportRow: 2,
    ...change,
  };
}
