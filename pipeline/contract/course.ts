/** Courses of the catalogue. */
import { z } from "zod";
import { defineTable, integer, jsonText, type RowOf } from "./table.ts";
import { GE_CATEGORIES } from "./vocabulary.ts";

/** Exactly one key, AND or OR; an item is a course name (`MATH 2A`) or a nested node. */
export type PrerequisiteTree = { AND: PrerequisiteItem[] } | { OR: PrerequisiteItem[] };
export type PrerequisiteItem = string | PrerequisiteTree;

const catalogueShape = {
  id: z.string(),
  department: z.string(),
  courseNumber: z.string(),
  courseNumeric: integer(),
  school: z.string(),
  title: z.string(),
  courseLevel: z.string(),
  minUnits: z.number(),
  maxUnits: z.number(),
  description: z.string(),
  departmentName: z.string(),
  /** A PrerequisiteTree as JSON text; `{}` when the course has none. */
  prerequisiteTree: jsonText(),
  prerequisiteList: z.array(z.string()),
  prerequisiteText: z.string(),
  repeatability: z.string(),
  gradingOption: z.string(),
  concurrent: z.string(),
  sameAs: z.string(),
  restriction: z.string(),
  overlap: z.string(),
  corequisites: z.string(),
  geList: z.array(z.enum(GE_CATEGORIES)),
  geText: z.string(),
};

/** What the catalogue and the prerequisite pages say, before anything of our own is added. */
export const catalogueCourses = defineTable({
  name: "catalogue_courses",
  about: "one row a course, as the catalogue has it",
  row: z.object(catalogueShape),
  partitionedBy: [],
  sortedBy: ["id"],
  key: ["id"],
});
export type CatalogueCourse = RowOf<typeof catalogueCourses>;

export const courses = defineTable({
  name: "courses",
  about:
    "one row a course: catalogue, prerequisites, and where it was taught by whom (from our own sections and grades)",
  row: z.object({
    ...catalogueShape,
    prerequisiteFor: z.array(z.string()),
    instructorHistory: z.array(z.string()),
    terms: z.array(z.string()),
  }),
  partitionedBy: [],
  sortedBy: ["id"],
  key: ["id"],
});
export type Course = RowOf<typeof courses>;
