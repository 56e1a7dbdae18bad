/** The schemas that differ with COMPAT=1, for the documentation. */
import { z } from "zod";
import { courses } from "../../pipeline/contract/rows/course.ts";
import { Course, EnrollmentHistory, Instructor, Larc } from "../response/shapes/shapes.ts";
import { GE_NAMES } from "./rows.ts";

const CoursePreview = courses.row.pick({ id: true, department: true, courseNumber: true, title: true });
const InstructorPreview = z.object({
  ucinetid: Instructor.shape.netid,
  name: Instructor.shape.name,
  shortenedName: Instructor.shape.shortenedName,
});

const PrerequisiteCourse = z.object({
  prereqType: z.literal("course").describe("a course"),
  coreq: z.boolean().describe("whether it may be taken at the same time"),
  courseId: z.string().describe("name of the course, such as `I&C SCI 46`"),
  minGrade: z.string().optional().describe("the least grade, such as `C`; absent without one"),
});
const PrerequisiteExam = z.object({
  prereqType: z.literal("exam").describe("an exam"),
  examName: z.string().describe("name of the exam, such as `AP BIOLOGY`"),
  minGrade: z.string().optional().describe("the least score, such as `4`; absent without one"),
});
const PrerequisiteExclusion = z
  .strictObject({ NOT: z.array(z.union([PrerequisiteCourse, PrerequisiteExam])).length(1) })
  .describe("what must not have been taken or reached");
interface Node {
  [word: string]: unknown[];
}
const PrerequisiteTree: z.ZodType<Node> = z
  .union([
    z.strictObject({}),
    z.strictObject({ AND: z.array(z.lazy(() => PrerequisiteItem)) }),
    z.strictObject({ OR: z.array(z.lazy(() => PrerequisiteItem)) }),
  ])
  .describe("`{}` without prerequisites, else one key, AND or OR, over courses, exams, exclusions and further nodes");
const PrerequisiteItem: z.ZodType<unknown> = z
  .union([PrerequisiteCourse, PrerequisiteExam, PrerequisiteExclusion, PrerequisiteTree])
  .describe("a course, an exam, an exclusion, or a node");

const CompatCourse = z.object({
  ...Course.shape,
  prerequisiteTree: PrerequisiteTree,
  geList: z
    .array(z.enum(Object.values(GE_NAMES)))
    .describe("names of the general education categories that it satisfies"),
  instructors: z.array(InstructorPreview).describe("those of `instructorHistory`"),
  prerequisites: z.array(CoursePreview).describe("the courses of `prerequisiteList`"),
  dependencies: z.array(CoursePreview).describe("the courses of `prerequisiteFor`"),
});
const CompatInstructor = z.object({
  ...Instructor.shape,
  ucinetid: z.string().describe("the same as netid"),
  courses: z.array(CoursePreview).describe("the courses of `courseHistory`"),
});

const tutorials = Larc.element;
const tutorial = tutorials.shape.sections.element;
const LarcCourse = z.object({
  ...tutorials.shape,
  sections: z
    .array(
      z.object({
        ...tutorial.shape,
        days: z.string().describe("the same as day"),
        bldg: z.string().describe("the same as building"),
      }),
    )
    .describe(tutorials.shape.sections.description ?? "tutorials"),
});

const EnrollmentRecord = z.object({
  ...EnrollmentHistory.element.shape,
  sectionCode: z
    .string()
    .regex(/^\d{5}$/)
    .describe("five digits"),
});

export const COMPAT_SHAPES = {
  Course: CompatCourse,
  Courses: z.array(CompatCourse),
  Instructor: CompatInstructor,
  Instructors: z.array(CompatInstructor),
  Larc: z.array(LarcCourse),
  EnrollmentHistory: z.array(EnrollmentRecord),
} as const;

export const COMPAT_PARTS = {
  CoursePreview,
  InstructorPreview,
  PrerequisiteCourse,
  PrerequisiteExam,
  PrerequisiteExclusion,
  PrerequisiteTree,
  PrerequisiteItem,
  LarcCourse,
  EnrollmentRecord,
} as const;
