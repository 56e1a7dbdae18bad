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
import { CourseGrade, Distribution, GradeSection, gradeShapes, OfferingGrade, RawGrade } from "./grades.ts";
import {
  DepartmentOption,
  ScheduleCourse,
  ScheduleDepartment,
  scheduleShapes,
  School,
  Section,
  TermOption,
} from "./schedule.ts";
import { type Shape, shape } from "./shape.ts";

/** `{}` for a course without prerequisites, else exactly one key. */
interface PrerequisiteNode {
  AND?: (string | PrerequisiteNode)[] | undefined;
  OR?: (string | PrerequisiteNode)[] | undefined;
}
/** A single object rather than a union of three: generators do not support empty alternatives. */
const PrerequisiteTree: z.ZodType<PrerequisiteNode> = z
  .strictObject({
    AND: z
      .array(z.lazy(() => PrerequisiteItem))
      .optional()
      .describe("all of these"),
    OR: z
      .array(z.lazy(() => PrerequisiteItem))
      .optional()
      .describe("one of these"),
  })
  .meta({
    description: "`{}` without prerequisites, else one key, AND or OR, over course names and further nodes",
    maxProperties: 1,
  });
const PrerequisiteItem: z.ZodType<string | PrerequisiteNode> = z
  .union([z.string(), PrerequisiteTree])
  .describe("a course name such as `MATH 2A`, or a node");

/** `requirementTree` is only for clients of the predecessor. */
const { requirementTree: _tree, ...courseShape } = courses.row.shape;
export const Course = z.object({
  ...courseShape,
  courseLevel: z.enum(COURSE_LEVEL_LABELS).describe(courses.row.shape.courseLevel.description ?? ""),
  prerequisiteTree: PrerequisiteTree,
});

const course: z.infer<typeof Course> = {
  id: "COMPSCI161",
  department: "COMPSCI",
  courseNumber: "161",
  courseNumeric: 161,
  school: "School of Information Sciences",
  title: "Design and Analysis of Algorithms",
  courseLevel: "Upper Division (100-199)",
  minUnits: 4,
  maxUnits: 4,
  description: "How algorithms are designed, and how much time they take.",
  departmentName: "Computer Science",
  prerequisiteTree: { AND: ["I&C SCI 46", { OR: ["MATH 2B", "MATH 5B"] }] },
  prerequisiteList: ["I&C SCI 46", "MATH 2B", "MATH 5B"],
  prerequisiteText: "I&C SCI 46 (min grade C) AND (MATH 2B OR MATH 5B)",
  repeatability: "",
  gradingOption: "",
  concurrent: "",
  sameAs: "",
  restriction: "",
  overlap: "",
  corequisites: "",
  geList: [],
  geText: "",
  prerequisiteFor: ["COMPSCI 162"],
  instructorHistory: ["ramberley"],
  terms: ["2026 Fall", "2025 Fall"],
};

export const Instructor = instructors.row;

const instructor: z.infer<typeof Instructor> = {
  netid: "ramberley",
  name: "Robin Amberley",
  shortenedName: "AMBERLEY, R.",
  title: "Lecturer",
  email: "ramberley@example.edu",
  department: "Computer Science",
  schools: ["School of Information Sciences"],
  relatedDepartments: ["COMPSCI"],
  courseHistory: { "COMPSCI 161": ["2026 Fall", "2025 Fall"] },
};

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

const enrollment: z.infer<typeof EnrollmentHistory> = [
  {
    year: "2026",
    quarter: "Fall",
    sectionCode: 34250,
    department: "COMPSCI",
    courseNumber: "161",
    sectionType: "Lec",
    sectionNum: "A",
    units: "4",
    instructors: ["AMBERLEY, R."],
    meetings: [{ days: "TuTh", time: "2:00-3:20p", bldg: ["ALP 2300"] }],
    finalExam: "Tue, Dec 8, 1:30-3:30pm",
    dates: ["2026-09-21", "2026-09-22"],
    maxCapacityHistory: ["150", "150"],
    totalEnrolledHistory: ["138", "142"],
    waitlistHistory: ["0", "0"],
    waitlistCapHistory: ["20", "20"],
    requestedHistory: ["205", "210"],
    newOnlyReservedHistory: ["", ""],
    statusHistory: ["OPEN", "OPEN"],
  },
];

export const SearchHit = z.object({
  kind: z.enum(["course", "instructor", "department", "section"]).describe("what was found"),
  id: z.string().describe("the course's id, the person's netid, the department's code, or term and code of a section"),
  title: z.string().describe("what to show first"),
  subtitle: z.string().describe("what to show below it"),
  department: z.string().describe("a department's code; empty where a person's is not known"),
  score: z.number().describe("from 0 to 1, comparable within one answer"),
  links: z.record(z.string(), z.string()).describe("what there is about it → address of that JSON"),
});

const { at, since, snapshot, month: _month, instructors: _instructors, ...recorded } = changes.row.shape;
const utc = (about: string) => z.iso.datetime({ precision: 3 }).describe(about);
export const Change = z.object({
  at: utc(at.description ?? ""),
  since: utc(since.description ?? ""),
  snapshot,
  ...recorded,
});

export const SHAPES = {
  ...scheduleShapes,
  ...gradeShapes,
  Course: shape(Course, course),
  Courses: shape(z.array(Course), [course]),
  Instructor: shape(Instructor, instructor),
  Instructors: shape(z.array(Instructor), [instructor]),
  Week: shape(Week, { weeks: [3], quarters: ["Fall Quarter 2026"], display: "Week 3 • Fall Quarter 2026" }),
  Larc: shape(Larc, [
    {
      courseInfo: { courseNumber: "MATH 2A", courseName: "Calculus" },
      sections: [{ day: "MW", time: "9:00-9:50a", instructor: "Sasha Quillfeather", building: "ON LINE" }],
    },
  ]),
  EnrollmentHistory: shape(EnrollmentHistory, enrollment),
  SearchHits: shape(z.array(SearchHit), [
    {
      kind: "course",
      id: "COMPSCI161",
      title: "COMPSCI 161",
      subtitle: "Design and Analysis of Algorithms",
      department: "COMPSCI",
      score: 1,
      links: {
        self: "/v1/rest/courses/COMPSCI161",
        grades: "/v1/rest/grades/raw?department=COMPSCI&courseNumber=161",
        sections: "/v1/rest/schedule?year=2026&quarter=Fall&department=COMPSCI&courseNumber=161",
      },
    },
  ]),
  Changes: shape(z.array(Change), [
    {
      at: "2026-11-21T07:00:04.120Z",
      since: "2026-11-21T06:00:03.870Z",
      snapshot: "3f2a9c0b7d1e4a58",
      year: "2026",
      quarter: "Fall",
      sectionCode: "34250",
      department: "COMPSCI",
      courseNumber: "161",
      kind: "status",
      field: "status",
      before: "FULL",
      after: "OPEN",
    },
  ]),
} as const;
export type ShapeName = keyof typeof SHAPES;

export const shapeOf = (name: ShapeName): Shape => ({ name, ...SHAPES[name] });

/** Nested schemas that have their own names in the documentation. */
export const NAMED_PARTS = {
  School,
  ScheduleDepartment,
  ScheduleCourse,
  Section,
  Meeting: meeting,
  TimeOfDay: time,
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
