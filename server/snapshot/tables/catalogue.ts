/** Courses and instructors, with their row ids by key, and the former names of courses. */
import { jsonObject, type Loading, type LoadMore } from "../loading/loading.ts";
import { createFormerNames, type FormerNames } from "../../../pipeline/contract/former-names.ts";
import type { FormerName } from "../../../pipeline/contract/rows/former-name.ts";
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { instructors } from "../../../pipeline/contract/rows/instructor.ts";
import { same } from "./expressions.ts";
import { LOADING, toRows } from "../../duckdb/query.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { type Fragment, sql } from "../../duckdb/sql.ts";

/** Writes whole numbers without a fraction: `4`, not `4.0`. */
const units = (column: string) =>
  `(CASE WHEN ${column} = floor(${column}) THEN ${column}::BIGINT::VARCHAR ELSE ${column}::VARCHAR END)::JSON`;

export const coursesTable = {
  table: "courses",
  columns: {
    idKey: "lower(id)",
    departmentKey: "upper(replace(department, ' ', ''))",
    courseNumberKey: "lower(courseNumber)",
    ...same(["courseNumeric", "courseLevel", "minUnits", "maxUnits", "geList"]),
    titleKey: "lower(title)",
    descriptionKey: "lower(description)",
    instructorKeys: "list_transform(instructorHistory, lambda x: lower(x))",
    termKeys: "list_transform(terms, lambda x: lower(x))",
  },
  orderBy: "id",
  record: jsonObject([
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
} satisfies Loading;

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
  record: jsonObject(Object.keys(instructors.row.shape)),
} satisfies Loading;

export interface Keyed {
  /** The row ids by id in lower case: ids are matched ignoring case (server/RULES.md, Instructors and courses). */
  readonly rowIds: ReadonlyMap<string, number>;
}

export const readKeys: LoadMore<Keyed> = async (pool, table) => {
  const [keys = [], rowIds = []] = await pool.columns(sql`SELECT idKey, row_id FROM ${table}`, LOADING);
  return { rowIds: new Map((keys as string[]).map((key, i) => [key, rowIds[i] as number])) };
};

const FORMER_NAME = ["courseId", "formerId", "since"] as const;
/** A small table that requests read from a lookup in memory. */
export const formerNamesTable: Loading = {
  table: "former_names",
  columns: same(FORMER_NAME),
  orderBy: "courseId, formerId",
};

export const loadFormerNames: LoadMore<{ readonly formerNames: FormerNames }> = async (pool, table) => ({
  formerNames: createFormerNames(await readFormerNames(pool, sql`${table} ORDER BY row_id`)),
});

/** @param rows a relation with the contract's columns, and what follows it in the statement */
export const readFormerNames = async (pool: Pool, rows: Fragment): Promise<FormerName[]> =>
  toRows<FormerName>(FORMER_NAME, await pool.columns(sql`SELECT courseId, formerId, since FROM ${rows}`, LOADING));
