/** Grades: a row a section, clustered by course. */
import { type GradeCount, GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { jsonObject, type Loading } from "../loading/loading.ts";
import { quarterRank, textLines } from "./expressions.ts";

const described = [
  "year",
  "quarter",
  "sectionCode",
  "department",
  "courseNumber",
  "courseNumeric",
  "geCategories",
] as const;

const same = <N extends string>(names: readonly N[]): Readonly<Record<N, string>> =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<string, string> as Readonly<Record<N, string>>;

const published = same([...described, "instructors"]);
// A sum of doubles is a double, and exact for whole numbers; a sum of integers would be a HUGEINT.
const counts = Object.fromEntries(GRADE_COUNTS.map((count) => [count, `${count}::DOUBLE`])) as Record<
  GradeCount,
  string
>;
const hasLetters = `${LETTER_COUNTS.join(" + ")} > 0`;

export const gradesTable = {
  table: "grades",
  columns: {
    ...published,
    ...counts,
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    names: textLines(`list_transform(instructors, lambda name: ${nameKeySql("name")})`),
    hasLetters,
    // The average of a section without letter grades does not count.
    gpaHundredths: `CASE WHEN ${hasLetters} THEN (averageGPA * 100)::DOUBLE END`,
  },
  // The order of raw and sectionList.
  orderBy: `year, ${quarterRank}, sectionCode`,
  clusteredBy: "department, courseNumeric, courseNumber, row_id",
  jsonColumns: {
    raw: jsonObject([...described, ...GRADE_COUNTS, ["averageGPA", "coalesce(averageGPA, 0)::DOUBLE"], "instructors"]),
    listed: jsonObject([...described, "instructors"]),
  },
} satisfies Loading<"raw" | "listed">;
