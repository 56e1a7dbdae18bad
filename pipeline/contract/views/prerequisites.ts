/** The requirements of each course, a row for each course and exam in its tree. */
import { z } from "zod";
import { courseIdKeySql } from "../course-name.ts";
import { courses } from "../rows/course.ts";
import { formerNames } from "../rows/former-name.ts";
import { defineView } from "./view.ts";

/** Matches a JSON string. */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
/** An object of the tree without nested objects: a course or an exam. */
const LEAF = String.raw`\{"prereqType"(?:[^"{}]|${TEXT})*\}`;
/** Matches an exclusion, which is not a prerequisite. */
const EXCLUSION = String.raw`\{"NOT": ?\[ ?${LEAF} ?\]\}`;

/** A field of a leaf; empty if absent. Does not use the JSON functions, which not every DuckDB has. */
const field = (name: string): string => {
  const value = String.raw`regexp_extract(leaf, '[{,] ?"${name}": ?"((?:[^"\\]|\\.)*)"', 1)`;
  return String.raw`replace(replace(${value}, '\"', '"'), '\\', '\')`;
};

const idKey = (column: string): string => courseIdKeySql(`"${column}"`);

/**
 * The course of the catalogue that a key stands for, as `createFormerNames` decides: the course of that name
 * (`distance` 0), else the course that had that name before (1), else a course that still has a former name of the same
 * course (2).
 */
const NAMED_COURSES = `SELECT key, min(id) AS id FROM (
    SELECT key, id, distance, min(distance) OVER (PARTITION BY key) AS least FROM (
      SELECT ${idKey("id")} AS key, id, 0 AS distance FROM ${courses.name}
      UNION ALL SELECT former.key, listed.id, 1 FROM
        (SELECT ${idKey("formerId")} AS key, ${idKey("courseId")} AS course FROM ${formerNames.name}) AS former
        JOIN (SELECT id, ${idKey("id")} AS key FROM ${courses.name}) AS listed ON listed.key = former.course
      UNION ALL SELECT named.key, listed.id, 2 FROM
        (SELECT ${idKey("courseId")} AS key, ${idKey("courseId")} AS course FROM ${formerNames.name}
          UNION SELECT ${idKey("formerId")}, ${idKey("courseId")} FROM ${formerNames.name}) AS named
        JOIN (SELECT ${idKey("formerId")} AS key, ${idKey("courseId")} AS course FROM ${formerNames.name}) AS former ON former.course = named.course
        JOIN (SELECT id, ${idKey("id")} AS key FROM ${courses.name}) AS listed ON listed.key = former.key
    )) WHERE distance = least GROUP BY key HAVING count(DISTINCT id) = 1`;

export const prerequisites = defineView({
  name: "prerequisites",
  about:
    "one row per course of the catalogue and course or exam that its prerequisites name, wherever in the tree; exclusions are left out",
  row: z.object({
    course: z.string().describe("`courses.id` of the course that has the prerequisite"),
    prerequisite: z
      .string()
      .nullable()
      .describe(
        "`courses.id` of the course that is required, also where `name` is another name of it (`former_names`); NULL for an exam, and for a course that the catalogue lacks",
      ),
    name: z.string().describe("the course or exam as the catalogue names it, such as `MATH 2A` or `AP CALCULUS AB`"),
    kind: z.enum(["course", "exam"]).describe("`course` or `exam`"),
    minGrade: z.string().nullable().describe("least grade or score, such as `C`; NULL where none is named"),
    isCorequisite: z.boolean().describe("true where it may be taken at the same time"),
  }),
  tables: [courses.name, formerNames.name],
  partitionedBy: [],
  sortedBy: [],
  key: [],
  select: `SELECT course, required.id AS prerequisite, name, kind, minGrade, isCorequisite
    FROM (SELECT DISTINCT course, kind, CASE WHEN kind = 'course' THEN ${field("courseId")} ELSE ${field("examName")} END AS name,
        nullif(${field("minGrade")}, '') AS minGrade, regexp_matches(leaf, '[{,] ?"coreq": ?true') AS isCorequisite
      FROM (SELECT course, leaf, ${field("prereqType")} AS kind
        FROM (SELECT id AS course, unnest(regexp_extract_all(regexp_replace(requirementTree, '${EXCLUSION}', '', 'g'), '${LEAF}')) AS leaf
          FROM ${courses.name}))) AS named
    LEFT JOIN (${NAMED_COURSES}) AS required ON kind = 'course' AND required.key = ${courseIdKeySql("name")}`,
});
