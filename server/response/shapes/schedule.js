/** The schema of a schedule: schools, departments, courses and sections, derived from the contract's rows. */
import { z } from "zod";
import { headings, sections } from "../../../pipeline/contract/rows/section.ts";
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
export const ScheduleDepartment = z.object({
  deptComment: heading.deptComment,
  sectionCodeRangeComments: heading.sectionCodeRangeComments,
  courseNumberRangeComments: heading.courseNumberRangeComments,
  deptCode: heading.deptCode,
  deptName: heading.deptName,
  courses: z.array(ScheduleCourse),
});
export const School = z.object({
  schoolName: heading.schoolName,
  schoolComment: heading.schoolComment,
  departments: z.array(ScheduleDepartment),
});
export const Schedule = z.object({ schools: z.array(School) });
