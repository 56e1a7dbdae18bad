/** Rows of courses and people for tests; `change` says what is different from an everyday one. */
import type { Course } from "../../../pipeline/contract/rows/course.ts";
import type { Instructor } from "../../../pipeline/contract/rows/instructor.ts";
import type { SectionInstructor } from "../../../pipeline/contract/rows/section-instructor.ts";
import { courseId } from "../../../pipeline/contract/course-name.ts";
import { COURSE_LEVEL_LABELS, courseDigits } from "../../../pipeline/contract/vocabulary.ts";

export function courseRow(change: Partial<Course> = {}): Course {
  const row: Course = {
    id: "",
    department: "DANCE",
    courseNumber: "10",
    courseNumeric: 0,
    school: "School of Arts",
    title: "Movement",
    courseLevel: "",
    minUnits: 4,
    maxUnits: 4,
    description: "How bodies move.",
    departmentName: "Dance",
    prerequisiteTree: "{}",
    prerequisiteList: [],
    prerequisiteText: "",
    requirementTree: "{}",
    repeatability: "",
    gradingOption: "",
    concurrent: "",
    sameAs: "",
    restriction: "",
    overlap: "",
    corequisites: "",
    geList: [],
    geText: "",
    prerequisiteFor: [],
    instructorHistory: [],
    terms: [],
    ...change,
  };
  const courseNumeric = courseDigits(row.courseNumber);
  const level = courseNumeric < 100 ? "LowerDiv" : courseNumeric < 200 ? "UpperDiv" : "Graduate";
  return { ...row, id: courseId(row), courseNumeric, courseLevel: COURSE_LEVEL_LABELS[level] };
}

export function personRow(change: Partial<Instructor> = {}): Instructor {
  return {
    netid: "ramberley",
    name: "Robin Amberley",
    shortenedName: "AMBERLEY, R.",
    title: "Lecturer",
    email: "ramberley@example.edu",
    department: "Dance",
    schools: ["School of Arts"],
    relatedDepartments: ["DANCE"],
    courseHistory: {},
    ...change,
  };
}

interface Taught {
  readonly year: string;
  readonly quarter: SectionInstructor["quarter"];
  readonly sectionCode: string;
  readonly instructors: readonly string[];
  readonly deptCode?: string;
  readonly department?: string;
}

/**
 * The people whom the names of sections and grades may mean: everyone with that shortened name. A section that both
 * have counts once.
 */
export function matchesOf(taught: readonly Taught[], people: readonly Instructor[]): SectionInstructor[] {
  const rows = taught.flatMap(({ year, quarter, sectionCode, instructors, deptCode, department = deptCode ?? "" }) =>
    instructors.flatMap((name): SectionInstructor[] => {
      const netids = people.filter(({ shortenedName }) => shortenedName === name).map(({ netid }) => netid);
      const row = { year, quarter, sectionCode, department, name, candidates: netids.length };
      if (netids.length === 0) return [{ ...row, netid: null, matchedBy: "none" }];
      return netids.map((netid) => ({ ...row, netid, matchedBy: "department" }));
    }),
  );
  return [
    ...new Map(rows.map((row) => [[row.year, row.quarter, row.sectionCode, row.name, row.netid].join(), row])).values(),
  ];
}
