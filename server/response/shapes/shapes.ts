/** Response schemas, derived from the contract's rows: the components of the OpenAPI document. */
import { z } from "zod";
import { changes } from "../../../pipeline/contract/rows/change.ts";
import { courses } from "../../../pipeline/contract/rows/course.ts";
import { instructors } from "../../../pipeline/contract/rows/instructor.ts";
import { larc } from "../../../pipeline/contract/rows/larc.ts";
import { enrollmentHistory, meetingText } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { finalExam, meeting, time } from "../../../pipeline/contract/rows/section.ts";
import { fieldsOf } from "../../../pipeline/contract/table.ts";
import { COURSE_LEVEL_LABELS } from "../../../pipeline/contract/vocabulary.ts";
import { SECTION_FIELDS } from "../../snapshot/tables/enrollment-history.ts";
import {
  AggregateGrades,
  CourseGrade,
  CourseGrades,
  Distribution,
  GradeOptions,
  GradeSection,
  OfferingGrade,
  OfferingGrades,
  RawGrade,
  RawGrades,
} from "./grades.ts";
import { Schedule, ScheduleCourse, ScheduleDepartment, School, Section } from "./schedule.ts";

/** `{}` when the course has no prerequisites, else exactly one key. */
const PrerequisiteTree: z.ZodType<PrerequisiteNode> = z
  .union([
    z.strictObject({}),
    z.strictObject({ AND: z.array(z.lazy(() => PrerequisiteItem)) }),
    z.strictObject({ OR: z.array(z.lazy(() => PrerequisiteItem)) }),
  ])
  .describe("`{}` without prerequisites, else one key, AND or OR, over course names and further nodes");
const PrerequisiteItem: z.ZodType<string | PrerequisiteNode> = z
  .union([z.string(), PrerequisiteTree])
  .describe("a course name such as `MATH 2A`, or a node");
type PrerequisiteNode =
  | Record<string, never>
  | { AND: (string | PrerequisiteNode)[] }
  | { OR: (string | PrerequisiteNode)[] };

const DepartmentOption = z.object({
  deptLabel: z.string().describe("`<code>: <name>`; the first one stands for all departments"),
  deptValue: z.string().describe("department code; `ALL` for all departments"),
});
const TermOption = z.object({
  shortName: z.string().describe("`<year> <quarter>`, such as `2026 Fall`"),
  longName: z.string().describe("name for people, such as `2026 Fall Quarter`"),
});
export const Departments = z.array(DepartmentOption);
export const Terms = z.array(TermOption);

/** COMPAT=1 shows `requirementTree` as `prerequisiteTree`. */
const { requirementTree: _tree, ...courseShape } = courses.row.shape;
export const Course = z.object({
  ...courseShape,
  courseLevel: z.enum(COURSE_LEVEL_LABELS).describe(courses.row.shape.courseLevel.description ?? ""),
  prerequisiteTree: PrerequisiteTree,
});
export const Courses = z.array(Course);
export const Instructor = instructors.row;
export const Instructors = z.array(Instructor);

export const Week = z.object({
  weeks: z.array(z.int()).describe("week of instruction of each of `quarters`; -1 in finals, and during a break"),
  quarters: z
    .array(z.string())
    .describe("terms in session or in finals, such as `Spring Quarter 2026`; `N/A` in a break"),
  display: z.string().describe("all of it in words"),
});

const LarcCourse = z.object({
  courseInfo: z.object({ courseNumber: larc.row.shape.courseNumber, courseName: larc.row.shape.courseName }),
  sections: larc.row.shape.sections,
});
export const Larc = z.array(LarcCourse);

const history = (about: string) => z.array(z.string()).describe(`${about}, one for each of \`dates\``);
const EnrollmentRecord = z.object({
  ...fieldsOf(enrollmentHistory.row.shape, SECTION_FIELDS),
  sectionCode: z.int().describe("a number here, not a text"),
  dates: z.array(z.iso.date()).describe("days with a snapshot, ascending; all the other lists are as long as this one"),
  maxCapacityHistory: history("seats"),
  totalEnrolledHistory: history("students enrolled"),
  waitlistHistory: history("students on the waitlist (may be `n/a` or empty)"),
  waitlistCapHistory: history("seats of the waitlist"),
  requestedHistory: history("how often the section was asked for"),
  newOnlyReservedHistory: history("seats kept for new students"),
  statusHistory: history("status of the section"),
});
export const EnrollmentHistory = z.array(EnrollmentRecord);

export const SearchHit = z.object({
  kind: z.enum(["course", "instructor", "department", "section"]).describe("what was found"),
  id: z.string().describe("the course's id, the person's netid, the department's code, or term and code of a section"),
  title: z.string().describe("what to show first"),
  subtitle: z.string().describe("what to show below it"),
  department: z.string().describe("a department's code; empty where a person's is not known"),
  score: z.number().describe("from 0 to 1, comparable within one answer"),
  links: z.record(z.string(), z.string()).describe("what there is about it → address of that JSON"),
});
export const SearchHits = z.array(SearchHit);

const recorded = changes.row.shape;
const utc = (about: string) => z.iso.datetime({ precision: 3 }).describe(about);
export const Change = z.object({
  at: utc(recorded.at.description ?? ""),
  since: utc(recorded.since.description ?? ""),
  snapshot: recorded.snapshot,
  year: recorded.year,
  quarter: recorded.quarter,
  sectionCode: recorded.sectionCode,
  department: recorded.department,
  courseNumber: recorded.courseNumber,
  kind: recorded.kind,
  field: recorded.field,
  before: recorded.before,
  after: recorded.after,
});
export const Changes = z.array(Change);

export const SHAPES = {
  Schedule,
  Departments,
  Terms,
  RawGrades,
  AggregateGrades,
  GradeOptions,
  CourseGrades,
  OfferingGrades,
  Course,
  Courses,
  Instructor,
  Instructors,
  Week,
  Larc,
  EnrollmentHistory,
  SearchHits,
  Changes,
} as const;
export type ShapeName = keyof typeof SHAPES;

/** Nested schemas with their own names in the documentation. */
export const NAMED_PARTS = {
  School,
  ScheduleDepartment,
  ScheduleCourse,
  Section,
  Meeting: meeting,
  Time: time,
  FinalExam: finalExam,
  DepartmentOption,
  TermOption,
  RawGrade,
  GradeSection,
  GradeDistribution: Distribution,
  CourseGrade,
  OfferingGrade,
  PrerequisiteTree,
  PrerequisiteItem,
  LarcCourse,
  EnrollmentRecord,
  EnrollmentMeeting: meetingText,
  SearchHit,
  Change,
} as const;
