/** Courses of the catalogue. */
import { z } from "zod";
import { COURSE_LEVEL, formed, vocabulary } from "../forms.ts";
import { courseNumber, courseNumeric, deptCode, geCategories } from "./fields.ts";
import { defineTable, jsonText, type RowOf } from "../table.ts";

/** Exactly one key, AND or OR; an item is the name of a course (`MATH 2A`) or an exam, or a nested node. */
export type PrerequisiteTree = { AND: PrerequisiteItem[] } | { OR: PrerequisiteItem[] };
export type PrerequisiteItem = string | PrerequisiteTree;

/** The objects of `requirementTree`; clients of the predecessor read them unchanged. */
export type RequiredItem =
  | { prereqType: "course"; coreq: boolean; courseId: string; minGrade?: string }
  | { prereqType: "exam"; examName: string; minGrade?: string };
export type RequirementTree = { AND: RequirementItem[] } | { OR: RequirementItem[] };
export type RequirementItem = RequiredItem | { NOT: [RequiredItem] } | RequirementTree;

const catalogueShape = {
  id: z.string().describe("department code and course number without blanks, such as `I&CSCI46`"),
  department: deptCode(),
  courseNumber: courseNumber(),
  courseNumeric: courseNumeric(),
  school: vocabulary(z.string()).describe("name of the school"),
  title: z.string().describe("full title"),
  courseLevel: vocabulary(formed(z.string(), COURSE_LEVEL)).describe("level in words: one of three"),
  minUnits: z.number().describe("fewest units that it gives; may have decimals"),
  maxUnits: z.number().describe("most units that it gives; equals minUnits where they are fixed"),
  description: z.string().describe("the catalogue's description"),
  departmentName: z.string().describe("name of the department"),
  prerequisiteTree: jsonText().describe(
    "JSON text: one key, AND or OR, over names of courses and exams and further nodes; `{}` when the course has none",
  ),
  prerequisiteList: z.array(z.string()).describe("every course and exam named in the tree, such as `MATH 2A`"),
  prerequisiteText: z
    .string()
    .describe(
      "the requirement in words, `(A OR B) AND C`, with conditions, minimum grades, corequisites and exclusions",
    ),
  requirementTree: jsonText().describe(
    "JSON text: as prerequisiteTree, with an object for each course and exam (minimum grade, corequisite) and NOT for exclusions",
  ),
  repeatability: z.string().describe("how often it may be repeated; may be empty"),
  gradingOption: z.string().describe("grading other than by letters; may be empty"),
  concurrent: z.string().describe("course with which it is taught together; may be empty"),
  sameAs: z.string().describe("the same course of another department; may be empty"),
  restriction: z.string().describe("who may enroll, in words; may be empty"),
  overlap: z.string().describe("courses with which it overlaps; may be empty"),
  corequisites: z.string().describe("courses to be taken at the same time; may be empty"),
  geList: geCategories(),
  geText: z.string().describe("general education in the catalogue's words; may be empty"),
};

/** Courses from the catalogue and the prerequisite pages alone. */
export const catalogueCourses = defineTable({
  name: "catalogue_courses",
  about: "one row per course, as the catalogue has it",
  row: z.object(catalogueShape),
  partitionedBy: [],
  sortedBy: ["id"],
  key: ["id"],
});
export type CatalogueCourse = RowOf<typeof catalogueCourses>;

export const courses = defineTable({
  name: "courses",
  about:
    "one row per course: catalogue, prerequisites, and where it was taught by whom (from the published sections and grades)",
  row: z.object({
    ...catalogueShape,
    prerequisiteFor: z.array(z.string()).describe("courses that have this one as a prerequisite"),
    instructorHistory: z.array(z.string()).describe("netids of those who taught it"),
    terms: z.array(z.string()).describe("terms in which it was taught, `<year> <quarter>`"),
  }),
  partitionedBy: [],
  sortedBy: ["id"],
  key: ["id"],
});
export type Course = RowOf<typeof courses>;
