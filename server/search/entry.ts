/** Entries of the search index: courses, people, departments. */
import type { CourseName } from "../../pipeline/contract/course-name.ts";
import type { TableName } from "../../pipeline/contract/tables.ts";
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { constant, type Fragment, sql } from "../duckdb/sql.ts";
import type { Pool } from "../duckdb/pool.ts";
import { toRows } from "../duckdb/query.ts";

export interface Entry {
  readonly kind: "course" | "instructor" | "department";
  /** The id of a course, the netid of a person or the code of a department. */
  readonly id: string;
  /** `I&C SCI 46`, a person's name or a department's code. */
  readonly title: string;
  /** A course's title, a person's title and department, or a department's name. */
  readonly subtitle: string;
  /** The department's code; `""` if a person's department is unknown. */
  readonly department: string;
  /** A course's number, or a person's name as in the schedule. */
  readonly detail: string;
  /** The number of terms of a course, or of courses of a person. */
  readonly taught: number;
  /** Present for a course that the catalogue lacks. */
  readonly uncatalogued?: {
    /** The newest term whose schedule contains the course; undefined if only grades do. */
    readonly term: Term | undefined;
    /** True if all sections in all terms are cancelled. */
    readonly isCancelled: boolean;
  };
  /** Another name of the course, by which alone the entry is found. */
  readonly otherName?: CourseName;
  /** A remark that follows the subtitle of a hit: `formerly IN4MATX 43`. */
  readonly remark?: string;
}

/** Returns the course name by which an entry is found. */
export const nameOfCourse = ({ otherName, department, detail }: Entry): CourseName =>
  otherName ?? { department, courseNumber: detail };

/** Reads the published files in chunks, so that the event loop is not blocked. */
export async function readEntries(pool: Pool, rows: (table: TableName) => Fragment): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const statement of [
    sql`SELECT 'department', deptCode, deptCode, deptName, deptCode, '', 0
        FROM ${rows("departments")} ORDER BY deptCode`,
    sql`SELECT 'course', id, department || ' ' || courseNumber, title, department, courseNumber, len(terms)::INTEGER
        FROM ${rows("courses")} ORDER BY ${constant("department, courseNumeric, courseNumber")}`,
    sql`SELECT 'instructor', netid, name, concat_ws(', ', nullif(title, ''), nullif(department, '')),
        coalesce(deptCode, relatedDepartments[1], ''), shortenedName, len(map_keys(courseHistory))::INTEGER
        FROM ${rows("instructors")} LEFT JOIN
        (SELECT deptName, min(deptCode) AS deptCode FROM ${rows("departments")} GROUP BY deptName)
        ON deptName = department ORDER BY netid`,
  ]) {
    for await (const columns of pool.chunks(statement, { uncached: true }))
      entries.push(...toRows<Entry>(["kind", "id", "title", "subtitle", "department", "detail", "taught"], columns));
  }
  return entries;
}
