/** A world: everything that a university's systems would say, as rows in the service's own words. */
import type { FinalExam, Meeting, Section } from "../../../pipeline/contract/rows/section.ts";
import {
  compareTerms,
  courseDigits,
  GE_CATEGORIES,
  type Quarter,
  type Term,
} from "../../../pipeline/contract/vocabulary.ts";

/** A row of whatever kind. */
export type Row = Record<string, unknown>;

/** Rows are type aliases, so that each of them is a `Row` too. */
export type WorldTerm = { year: string; quarter: Quarter };

export type WorldSection = WorldTerm & {
  deptCode: string;
  courseNumber: string;
  courseTitle: string;
  courseComment: string;
  prerequisiteLink: string;
  sectionCode: string;
  sectionType: string;
  sectionNum: string;
  units: string;
  instructors: string[];
  meetings: Meeting[];
  finalExam: FinalExam;
  maxCapacity: string;
  totalEnrolled: string;
  sectionEnrolled: string;
  numOnWaitlist: string;
  numWaitlistCap: string;
  numRequested: string;
  numNewOnlyReserved: string;
  restrictions: string;
  status: string;
  sectionComment: string;
  /** The GE searches that find it. */
  geCategories: Section["geCategories"];
  cancelled: boolean;
};

export type WorldDepartment = {
  code: string;
  name: string;
  school: string;
  comment: string;
  sectionCodeRangeComments: string[];
  courseNumberRangeComments: string[];
  /** When it ended, as the form says it. */
  until?: string;
};

/** A section in a sheet, and the service's expected result. */
export type WorldGrade = WorldTerm & {
  sectionCode: string;
  department: string;
  courseNumber: string;
  courseTitle: string;
  sectionType: string;
  sectionNum: string;
  departmentName: string;
  instructors: string[];
  geCategories: Section["geCategories"];
  gradeACount: number;
  gradeBCount: number;
  gradeCCount: number;
  gradeDCount: number;
  gradeFCount: number;
  gradePCount: number;
  gradeNPCount: number;
  gradeWCount: number;
  /** Null is a blank cell. */
  averageGPA: number | null;
};

export type PrerequisiteTree = { AND: (string | PrerequisiteTree)[] } | { OR: (string | PrerequisiteTree)[] };

export type WorldCourse = {
  department: string;
  courseNumber: string;
  title: string;
  school: string;
  departmentName: string;
  courseLevel: 0 | 1 | 2;
  minUnits: number;
  maxUnits: number;
  description: string;
  prerequisiteTree: PrerequisiteTree | null;
  repeatability: string;
  gradingOption: string;
  concurrent: string;
  sameAs: string;
  restriction: string;
  overlap: string;
  corequisites: string;
  geList: string[];
  geText: string;
};

export type WorldInstructor = {
  netid: string;
  name: string;
  shortenedName: string;
  title: string;
  email: string;
  department: string;
  schools: string[];
  relatedDepartments: string[];
};

export type WorldTutorials = WorldTerm & {
  courseNumber: string;
  courseName: string;
  sameAs?: string;
  sections: { day: string; time: string; instructor: string; building: string }[];
};

/** ISO days, both ends included. */
export type WorldDates = WorldTerm & {
  instructionStart: string;
  instructionEnd: string;
  finalsStart: string;
  finalsEnd: string;
};

export interface World {
  name: string;
  terms: WorldTerm[];
  schools: { name: string; comment: string }[];
  departments: WorldDepartment[];
  sections: WorldSection[];
  grades: WorldGrade[];
  courses: WorldCourse[];
  instructors: WorldInstructor[];
  calendar: WorldDates[];
  larc: WorldTutorials[];
}

export const isOf =
  (...terms: readonly Term[]) =>
  (row: Term): boolean =>
    terms.some((term) => compareTerms(row, term) === 0);

/** The terms of a world in order of time. */
export const termsOf = (world: World): Term[] => [...world.terms].sort(compareTerms);

/** The expected result for a world's section. */
export function toExpected(world: World, section: WorldSection): Section {
  const { totalEnrolled, sectionEnrolled, geCategories, ...fields } = section;
  return {
    ...fields,
    schoolName: world.departments.find(({ code }) => code === section.deptCode)?.school ?? "",
    courseNumeric: courseDigits(section.courseNumber),
    numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled },
    geCategories: GE_CATEGORIES.filter((category) => geCategories.includes(category)),
  };
}
