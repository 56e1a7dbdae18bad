/** The sections as in the answers of `/schedule`. */
import { z } from "zod";
import { headings, sections } from "../rows/section.ts";
import { fieldsOf } from "../table.ts";
import { defineView } from "./view.ts";

const SCHOOL = "year, quarter, schoolName";
const DEPARTMENT = `${SCHOOL}, deptCode`;
const COURSE = `${DEPARTMENT}, courseNumber, courseTitle`;
/** A course has the value of its first section with any. */
const firstOf = (column: string): string =>
  `coalesce(arg_min(${column}, sectionCode) FILTER (${column} <> ''), '') AS ${column}`;

/** The columns of an answer of `/schedule`. Passes on additional columns of a relation named `sections`. */
export const scheduleView = defineView({
  name: "schedule",
  about:
    "one row per section of a term, with the comments that stand above it: its school's, department's and course's",
  row: z.object({
    ...sections.row.shape,
    courseComment: z
      .string()
      .describe("comment on the course, of its first section that has one; may hold HTML; empty when there is none"),
    prerequisiteLink: z
      .string()
      .describe("address of the registrar's page on the course's prerequisites; empty when there is none"),
    ...fieldsOf(headings.row.shape, ["schoolComment", "deptName", "deptComment"]),
    ...fieldsOf(headings.row.shape, ["sectionCodeRangeComments", "courseNumberRangeComments"]),
  }),
  tables: [sections.name, headings.name],
  partitionedBy: sections.partitionedBy,
  sortedBy: sections.sortedBy,
  key: sections.key,
  select: `SELECT section.* REPLACE (course.courseComment AS courseComment, course.prerequisiteLink AS prerequisiteLink),
    coalesce(school.schoolComment, '') AS schoolComment,
    coalesce(heading.deptName, deptCode) AS deptName, coalesce(heading.deptComment, '') AS deptComment,
    coalesce(heading.sectionCodeRangeComments, []) AS sectionCodeRangeComments,
    coalesce(heading.courseNumberRangeComments, []) AS courseNumberRangeComments
    FROM ${sections.name} section
    JOIN (SELECT ${COURSE}, ${firstOf("courseComment")}, ${firstOf("prerequisiteLink")}
      FROM ${sections.name} GROUP BY ${COURSE}) course USING (${COURSE})
    LEFT JOIN ${headings.name} heading USING (${DEPARTMENT})
    LEFT JOIN (SELECT ${SCHOOL}, max(schoolComment) AS schoolComment FROM ${headings.name} GROUP BY ${SCHOOL}) school
      USING (${SCHOOL})`,
});
