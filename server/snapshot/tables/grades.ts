/**
 * Grades: filters and sums run over two numeric tables, one row per section and one row per offering (a section and one of its instructors). Texts are
 * dictionary-encoded: tables hold the number, responses use the dictionary's JSON.
 */
import { GRADE_COUNTS, LETTER_COUNTS } from "../../../pipeline/contract/rows/grade.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { GE_CATEGORIES, type GeCategory, QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { LOADING, type Pool } from "../../duckdb/pool.ts";
import { constant, type Fragment, name, sql } from "../../duckdb/sql.ts";
import { jsonObject, type Loading } from "../loading/loading.ts";
import { settleAll } from "../settle-all.ts";
import { quarterRank } from "./expressions.ts";

const described = [
  "year",
  "quarter",
  "sectionCode",
  "department",
  "courseNumber",
  "courseNumeric",
  "geCategories",
] as const;

/** The sums of a statement, in this order: the counts, hundredths of averages, and how many sections have an average. */
export const GRADE_SUMS = [...GRADE_COUNTS, "gpaHundredths", "averaged"] as const;

export const geBit = (category: GeCategory): number => 1 << GE_CATEGORIES.indexOf(category);
export const quarterNumber = (quarter: (typeof QUARTERS)[number]): number => QUARTERS.indexOf(quarter) + 1;

const DEPARTMENT_KEY = "upper(replace(department, ' ', ''))";
const COURSE_NUMBER_KEY = "lower(courseNumber)";
const COURSE = "department, courseNumeric, courseNumber";
/** A bit for each of `geCategories`. */
export const geBits = `(${GE_CATEGORIES.map((category) => `CASE WHEN list_contains(geCategories, '${category}') THEN ${geBit(category)} ELSE 0 END`).join(" + ")})::INTEGER`;
const letters = LETTER_COUNTS.join(" + ");

/** The dictionary number of a text, in the order of `by`. */
const numbered = (by: string): string => `(dense_rank() OVER (ORDER BY ${by}) - 1)::INTEGER`;

/** The distinct courses of the rows with their dictionary numbers: ranking them is a fraction of the work of ranking all rows. */
const numberedCourses = (rows: Fragment): Fragment =>
  sql`(SELECT *, ${constant(
    `{course: ${numbered(COURSE)}, department: ${numbered("department")}, departmentKey: ${numbered(DEPARTMENT_KEY)},
      courseNumber: ${numbered("courseNumeric, courseNumber")}, courseNumberKey: ${numbered(COURSE_NUMBER_KEY)}}`,
  )} AS numbers FROM (SELECT DISTINCT ${constant(COURSE)} FROM ${rows}))`;

const withCourse = (rows: Fragment): Fragment =>
  sql`(FROM ${rows} JOIN ${numberedCourses(rows)} USING (${constant(COURSE)}))`;

const narrow: readonly string[] = [
  "year::INTEGER AS year",
  `(${quarterRank})::TINYINT AS quarter`,
  "sectionCode::INTEGER AS sectionCode",
  "numbers.departmentKey",
  "numbers.courseNumberKey",
  "courseNumeric",
  `${geBits} AS ge`,
  `(${letters} > 0) AS hasLetters`,
  "numbers.department",
  "numbers.courseNumber",
  "numbers.course",
  // A sum of doubles is a double, and exact for whole numbers; a sum of integers would be a HUGEINT.
  ...GRADE_COUNTS.map((count) => `${count}::DOUBLE AS ${count}`),
  `(CASE WHEN ${letters} > 0 THEN coalesce(averageGPA * 100, 0) ELSE 0 END)::DOUBLE AS gpaHundredths`,
  `(${letters} > 0 AND averageGPA IS NOT NULL)::INTEGER::DOUBLE AS averaged`,
];

/** Order of raw and sectionList: year, quarter in calendar order, section code (server/RULES.md, Grades). */
export const gradesTable: Loading<"raw" | "listed"> = {
  table: "grades",
  columns: narrow,
  orderBy: `year, ${quarterRank}, sectionCode`,
  from: withCourse,
  // Clustering by course lets a course filter skip most row groups.
  clusteredBy: "course, row_id",
  jsonColumns: {
    raw: jsonObject([...described, ...GRADE_COUNTS, ["averageGPA", "coalesce(averageGPA, 0)::DOUBLE"], "instructors"]),
    listed: jsonObject([...described, "instructors"]),
  },
};

export interface GradeTables {
  /**
   * One row per section and instructor, with the columns of the sections and `instructor`, `instructorKey`, `offering` (NULL where no instructor is named) and
   * `isFirst`, which is true for one row of each section and instructor key.
   */
  readonly offerings: Fragment;
  readonly keys: Readonly<Record<"department" | "courseNumber" | "instructor", ReadonlyMap<string, number>>>;
  /** JSON by dictionary number; courses and offerings are objects without their closing brace. */
  readonly texts: Readonly<
    Record<"department" | "courseNumber" | "instructor" | "course" | "offering", readonly string[]>
  >;
  readonly sectionCodes: Int32Array;
  readonly years: Int32Array;
}

let loads = 0;

export async function loadGradeTables(
  pool: Pool,
  wide: Fragment,
): Promise<GradeTables & { drop: () => Promise<void> }> {
  const offerings = name(`grade_offerings_${++loads}`);
  const drop = async () => void (await pool.columns(sql`DROP TABLE IF EXISTS ${offerings}`, LOADING));
  // A section without instructors still has one row: grade options list its code.
  const taught = sql`(SELECT row_id, ${constant(COURSE)},
    unnest(CASE WHEN len(instructors) = 0 THEN [NULL] ELSE list_distinct(instructors) END) AS name FROM ${wide})`;
  const named = sql`(SELECT * FROM ${taught} WHERE name IS NOT NULL)`;
  const distinct = async (text: string, by: string, from: Fragment): Promise<string[]> => {
    const order = constant(by);
    const [texts = []] = await pool.columns(
      sql`SELECT ${constant(text)} FROM ${from} GROUP BY ${order} ORDER BY ${order}`,
      LOADING,
    );
    return texts as string[];
  };
  const json = (column: string) => `to_json(${column})::VARCHAR`;
  const open = (...fields: Parameters<typeof jsonObject>[0]) => `left(${jsonObject(fields)}::VARCHAR, -1)`;
  const whole = async (column: string) =>
    (
      await pool.integers(
        sql`SELECT DISTINCT ${constant(column)}::INTEGER AS number FROM ${wide} ORDER BY number`,
        LOADING,
      )
    )[0];
  const instructorKey = nameKeySql("name");
  const [
    ,
    departmentKeys,
    courseNumberKeys,
    instructorKeys,
    department,
    courseNumber,
    instructor,
    course,
    offering,
    sectionCodes,
    years,
  ] = await settleAll([
    pool.columns(
      sql`CREATE TABLE ${offerings} AS
        WITH section AS (SELECT row_id, ${constant(narrow.join(", "))} FROM ${withCourse(wide)}),
        instructor AS (
          SELECT name, ${constant(numbered("name"))} AS instructor, ${constant(numbered(instructorKey))} AS instructorKey
          FROM (SELECT DISTINCT name FROM ${named})),
        offered AS (
          SELECT row_id, course, instructor, instructorKey, row_number() OVER (PARTITION BY row_id, instructorKey) = 1 AS isFirst
          FROM (SELECT row_id, name FROM ${taught}) JOIN section USING (row_id) LEFT JOIN instructor USING (name)),
        offering AS (
          SELECT course, instructor, ${constant(numbered("course, instructor"))} AS offering
          FROM (SELECT DISTINCT course, instructor FROM offered WHERE instructor IS NOT NULL))
        SELECT section.*, instructor, instructorKey, offering, isFirst
        FROM section JOIN offered USING (row_id, course) LEFT JOIN offering USING (course, instructor) ORDER BY course, row_id`,
      LOADING,
    ),
    distinct(DEPARTMENT_KEY, DEPARTMENT_KEY, wide),
    distinct(COURSE_NUMBER_KEY, COURSE_NUMBER_KEY, wide),
    distinct(instructorKey, instructorKey, named),
    distinct(json("department"), "department", wide),
    distinct(json("courseNumber"), "courseNumeric, courseNumber", wide),
    distinct(json("name"), "name", named),
    distinct(open("department", "courseNumber"), COURSE, wide),
    distinct(open("department", "courseNumber", ["instructor", "name"]), `${COURSE}, name`, named),
    whole("sectionCode"),
    whole("year"),
  ]);
  const numbers = (keys: readonly string[]) => new Map(keys.map((key, number) => [key, number]));
  return {
    offerings,
    keys: {
      department: numbers(departmentKeys),
      courseNumber: numbers(courseNumberKeys),
      instructor: numbers(instructorKeys),
    },
    texts: { department, courseNumber, instructor, course, offering },
    sectionCodes: sectionCodes ?? new Int32Array(),
    years: years ?? new Int32Array(),
    drop,
  };
}
