/** The shapes of answers, derived from the contract's rows: the components of the OpenAPI document, and what tests compare with. */
import { z } from "zod";
import { courses } from "../pipeline/contract/course.ts";
import { grades } from "../pipeline/contract/grade.ts";
import { instructors } from "../pipeline/contract/instructor.ts";
import { larc } from "../pipeline/contract/larc.ts";
import { headings, sections } from "../pipeline/contract/section.ts";

const section = sections.row.shape;
const heading = headings.row.shape;

export const Section = z.object({
  sectionCode: section.sectionCode,
  sectionType: section.sectionType,
  sectionNum: section.sectionNum,
  units: section.units,
  instructors: section.instructors,
  meetings: section.meetings,
  finalExam: section.finalExam,
  maxCapacity: section.maxCapacity,
  numCurrentlyEnrolled: section.numCurrentlyEnrolled,
  numOnWaitlist: section.numOnWaitlist,
  numWaitlistCap: section.numWaitlistCap,
  numRequested: section.numRequested,
  numNewOnlyReserved: section.numNewOnlyReserved,
  restrictions: section.restrictions,
  status: section.status,
  sectionComment: section.sectionComment,
});

export const ScheduleCourse = z.object({
  deptCode: section.deptCode,
  courseComment: section.courseComment,
  prerequisiteLink: section.prerequisiteLink,
  courseNumber: section.courseNumber,
  courseTitle: section.courseTitle,
  sections: z.array(Section),
});

export const Schedule = z.object({
  schools: z.array(
    z.object({
      schoolName: heading.schoolName,
      schoolComment: heading.schoolComment,
      departments: z.array(
        z.object({
          deptComment: heading.deptComment,
          sectionCodeRangeComments: heading.sectionCodeRangeComments,
          courseNumberRangeComments: heading.courseNumberRangeComments,
          deptCode: heading.deptCode,
          deptName: heading.deptName,
          courses: z.array(ScheduleCourse),
        }),
      ),
    }),
  ),
});

export const Departments = z.array(z.object({ deptLabel: z.string(), deptValue: z.string() }));
export const Terms = z.array(z.object({ shortName: z.string(), longName: z.string() }));

const RawGrade = grades.row.omit({ sheetOnly: true });
const GradeSection = RawGrade.pick({
  year: true,
  quarter: true,
  sectionCode: true,
  department: true,
  courseNumber: true,
  courseNumeric: true,
  geCategories: true,
  instructors: true,
});
const Distribution = RawGrade.omit({
  year: true,
  quarter: true,
  sectionCode: true,
  department: true,
  courseNumber: true,
  courseNumeric: true,
  geCategories: true,
  instructors: true,
});

export const RawGrades = z.array(RawGrade);
export const AggregateGrades = z.object({ sectionList: z.array(GradeSection), gradeDistribution: Distribution });
export const GradeOptions = z.object({
  years: z.array(z.string()),
  departments: z.array(z.string()),
  courseNumbers: z.array(z.string()),
  sectionCodes: z.array(z.string()),
  instructors: z.array(z.string()),
});
const byCourse = { department: z.string(), courseNumber: z.string() };
export const CourseGrades = z.array(z.object({ ...byCourse, ...Distribution.shape }));
export const OfferingGrades = z.array(z.object({ ...byCourse, instructor: z.string(), ...Distribution.shape }));

export const Course = z.object({ ...courses.row.shape, prerequisiteTree: z.record(z.string(), z.array(z.unknown())) });
export const Courses = z.array(Course);
export const Instructor = instructors.row;
export const Instructors = z.array(Instructor);

export const Week = z.object({ weeks: z.array(z.int()), quarters: z.array(z.string()), display: z.string() });
export const Larc = z.array(
  z.object({
    courseInfo: z.object({ courseNumber: larc.row.shape.courseNumber, courseName: larc.row.shape.courseName }),
    sections: larc.row.shape.sections,
  }),
);

const history = z.array(z.string());
export const EnrollmentHistory = z.array(
  z.object({
    year: z.string(),
    quarter: section.quarter,
    sectionCode: z.int(),
    department: z.string(),
    courseNumber: z.string(),
    sectionType: z.string(),
    sectionNum: z.string(),
    units: z.string(),
    instructors: z.array(z.string()),
    meetings: z.array(z.object({ days: z.string(), time: z.string(), bldg: z.array(z.string()) })),
    finalExam: z.string(),
    dates: z.array(z.iso.date()),
    maxCapacityHistory: history,
    totalEnrolledHistory: history,
    waitlistHistory: history,
    waitlistCapHistory: history,
    requestedHistory: history,
    newOnlyReservedHistory: history,
    statusHistory: history,
  }),
);

export const SearchHit = z.object({
  kind: z.enum(["course", "instructor", "department", "section"]),
  /** The course's id, the person's netid, the department's code, or term and code of a section. */
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  /** A department's code; `""` where a person's is not known. */
  department: z.string(),
  /** From 0 to 1; comparable within one answer. */
  score: z.number(),
  /** Addresses of the JSON behind it. */
  links: z.record(z.string(), z.string()),
});
export const SearchHits = z.array(SearchHit);

/** Every shape that an endpoint's `returns` can name. */
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
} as const;
export type ShapeName = keyof typeof SHAPES;
