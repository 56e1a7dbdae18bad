/** Courses and instructors, with their row ids by key. */
import { jsonObject, type Loading, type LoadMore } from "../loading/loading.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { instructors } from "../../../pipeline/contract/rows/instructor.ts";
import { LOADING } from "../../duckdb/query.ts";
import { constant, sql } from "../../duckdb/sql.ts";

/** Writes whole numbers without a fraction: `4`, not `4.0`. */
const units = (column: string) =>
  `(CASE WHEN ${column} = floor(${column}) THEN ${column}::BIGINT::VARCHAR ELSE ${column}::VARCHAR END)::JSON`;

export const coursesTable = {
  table: "courses",
  columns: {
    idKey: "lower(id)",
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    courseNumeric: "courseNumeric",
    titleKey: "lower(title)",
    courseLevel: "courseLevel",
    minUnits: "minUnits",
    maxUnits: "maxUnits",
    descriptionKey: "lower(description)",
    instructorKeys: "list_transform(instructorHistory, lambda x: lower(x))",
    geList: "geList",
    termKeys: "list_transform(terms, lambda x: lower(x))",
  },
  orderBy: "id",
  jsonColumns: {
    course: jsonObject([
      "id",
      "department",
      "courseNumber",
      "courseNumeric",
      "school",
      "title",
      "courseLevel",
      ["minUnits", units("minUnits")],
      ["maxUnits", units("maxUnits")],
      "description",
      "departmentName",
      "instructorHistory",
      ["prerequisiteTree", "prerequisiteTree::JSON"],
      "prerequisiteList",
      "prerequisiteText",
      "prerequisiteFor",
      "repeatability",
      "gradingOption",
      "concurrent",
      "sameAs",
      "restriction",
      "overlap",
      "corequisites",
      "geList",
      "geText",
      "terms",
    ]),
  },
} satisfies Loading<"course">;

export const instructorsTable = {
  table: "instructors",
  columns: {
    idKey: "lower(netid)",
    nameKey: nameKeySql("name"),
    shortenedNameKey: nameKeySql("shortenedName"),
    titleKey: "lower(title)",
    departmentKey: "lower(department)",
    schoolKeys: "list_transform(schools, lambda x: lower(x))",
    relatedKeys: "list_transform(relatedDepartments, lambda x: lower(x))",
    termKeys: "list_transform(list_distinct(flatten(map_values(courseHistory))), lambda x: lower(x))",
  },
  orderBy: "netid",
  jsonColumns: {
    instructor: jsonObject(Object.keys(instructors.row.shape)),
  },
} satisfies Loading<"instructor">;

export interface Keyed {
  /** The row ids by id in lower case: ids are matched ignoring case (server/RULES.md, Instructors and courses). */
  readonly rowIds: ReadonlyMap<string, number>;
}

export const readKeys =
  (column: string): LoadMore<Keyed> =>
  async (pool, wide) => {
    const [ids = [], rows = []] = await pool.columns(sql`SELECT ${constant(column)}, row_id FROM ${wide}`, LOADING);
    return { rowIds: new Map((ids as string[]).map((id, i) => [id.toLowerCase(), rows[i] as number])) };
  };
