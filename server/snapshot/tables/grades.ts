/** Grade rows in memory. */
import { GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/grade.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { jsonObject, type Loading } from "../loading.ts";
import { quarterRank } from "./orders.ts";

const described = [
  "year",
  "quarter",
  "sectionCode",
  "department",
  "courseNumber",
  "courseNumeric",
  "geCategories",
] as const;

/** Order of raw and sectionList: year, quarter in calendar order, section code (behaviour §3). */
export const gradesTable: Loading<"raw" | "listed"> = {
  table: "grades",
  columns: [
    "year",
    "quarter",
    "sectionCode",
    "department",
    "upper(replace(department, ' ', '')) AS departmentKey",
    "lower(courseNumber) AS courseNumberKey",
    "courseNumeric",
    "geCategories",
    `(${LETTER_COUNTS.join(" + ")} > 0) AS hasLetters`,
    `list_transform(instructors, x -> ${nameKeySql("x")}) AS instructorKeys`,
  ],
  orderBy: `year, ${quarterRank}, sectionCode`,
  jsonColumns: {
    raw: jsonObject([...described, ...GRADE_COUNTS, ["averageGPA", "coalesce(averageGPA, 0)::DOUBLE"], "instructors"]),
    listed: jsonObject([...described, "instructors"]),
  },
};
