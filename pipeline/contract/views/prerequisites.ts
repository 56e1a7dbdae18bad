/** What each course requires, a row for each course and exam that its tree names. */
import { z } from "zod";
import { courseIdKeySql } from "../course-name.ts";
import { courses } from "../rows/course.ts";
import { defineView } from "./view.ts";

/** A JSON string, of which the inside is one group or none. */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
/** An object of the tree without any inside: a course or an exam. */
const LEAF = String.raw`\{"prereqType"(?:[^"{}]|${TEXT})*\}`;
/** What must not have been taken is no prerequisite. */
const EXCLUSION = String.raw`\{"NOT": ?\[ ?${LEAF} ?\]\}`;

/** A field of a leaf; empty when it has none. Without the JSON functions, which not every DuckDB has. */
const field = (name: string): string => {
  const value = String.raw`regexp_extract(leaf, '[{,] ?"${name}": ?"((?:[^"\\]|\\.)*)"', 1)`;
  return String.raw`replace(replace(${value}, '\"', '"'), '\\', '\')`;
};

export const prerequisites = defineView({
  name: "prerequisites",
  about:
    "one row a course of the catalogue and course or exam that its prerequisites name, wherever in the tree; exclusions are left out",
  row: z.object({
    course: z.string().describe("`courses.id` of the course that has the prerequisite"),
    prerequisite: z
      .string()
      .nullable()
      .describe(
        "`courses.id` of the course that is required; NULL for an exam, and for a course that the catalogue lacks",
      ),
    name: z.string().describe("the course or exam as the catalogue names it, such as `MATH 2A` or `AP CALCULUS AB`"),
    kind: z.enum(["course", "exam"]).describe("`course` or `exam`"),
    minGrade: z.string().nullable().describe("least grade or score, such as `C`; NULL where none is named"),
    isCorequisite: z.boolean().describe("true where it may be taken at the same time"),
  }),
  tables: [courses.name],
  partitionedBy: [],
  sortedBy: [],
  key: [],
  select: `SELECT course, required.id AS prerequisite, name, kind, minGrade, isCorequisite
    FROM (SELECT DISTINCT course, kind, CASE WHEN kind = 'course' THEN ${field("courseId")} ELSE ${field("examName")} END AS name,
        nullif(${field("minGrade")}, '') AS minGrade, regexp_matches(leaf, '[{,] ?"coreq": ?true') AS isCorequisite
      FROM (SELECT course, leaf, ${field("prereqType")} AS kind
        FROM (SELECT id AS course, unnest(regexp_extract_all(regexp_replace(requirementTree, '${EXCLUSION}', '', 'g'), '${LEAF}')) AS leaf
          FROM ${courses.name}))) AS named
    LEFT JOIN ${courses.name} required ON kind = 'course' AND ${courseIdKeySql("required.id")} = ${courseIdKeySql("name")}`,
});
