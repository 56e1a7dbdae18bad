/** Grades: a row per section, clustered by course. */
import { GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { jsonObject, type Loading } from "../loading/loading.ts";
import { quarterRank, same, textLines } from "./expressions.ts";

const DESCRIBED = [
  "year",
  "quarter",
  "sectionCode",
  "department",
  "courseNumber",
  "courseNumeric",
  "geCategories",
] as const;
/** The fields that describe a section of grades, without the grades. */
export const GRADED_SECTION_FIELDS = [...DESCRIBED, "instructors"] as const;

const hasLetters = `${LETTER_COUNTS.join(" + ")} > 0`;

export const gradesTable = {
  table: "grades",
  columns: {
    ...same([...GRADED_SECTION_FIELDS, ...GRADE_COUNTS]),
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    names: textLines(`list_transform(instructors, lambda name: ${nameKeySql("name")})`),
    hasLetters,
    // An integer, whose sums are exact. The average of a section without letter grades does not count.
    gpaHundredths: `CASE WHEN ${hasLetters} THEN round(averageGPA * 100) END`,
  },
  // This is the order of raw and sectionList.
  orderBy: `year, ${quarterRank}, sectionCode`,
  clusteredBy: "department, courseNumeric, courseNumber, row_id",
  record: jsonObject([...DESCRIBED, ...GRADE_COUNTS, ["averageGPA", "coalesce(averageGPA, 0)"], "instructors"]),
} satisfies Loading;
