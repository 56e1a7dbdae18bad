/** The tree that the schedule endpoint answers with, as plainly as the documents put it. It shares no code with the server. */
import type { Heading, Section } from "../../../pipeline/contract/rows/section.ts";
import { digitsOf, plainMatches } from "./plain-schedule.ts";

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Members that are equal in `order` side by side, in that order. */
function grouped<T>(members: readonly T[], order: (a: T, b: T) => number): T[][] {
  const groups: T[][] = [];
  for (const member of [...members].sort(order)) {
    const last = groups.at(-1);
    if (last && order(last[0] as T, member) === 0) last.push(member);
    else groups.push([member]);
  }
  return groups;
}

/** The whole answer. */
export function plainTree(sections: readonly Section[], headings: readonly Heading[], query: URLSearchParams) {
  const bySchool = grouped(plainMatches(sections, query), (a, b) => byText(a.schoolName, b.schoolName));
  const schools = bySchool.map((ofSchool) => {
    const schoolName = ofSchool[0]?.schoolName ?? "";
    const byDepartment = grouped(ofSchool, (a, b) => byText(a.deptCode, b.deptCode));
    return {
      schoolName,
      schoolComment: headings.find((heading) => heading.schoolName === schoolName)?.schoolComment ?? "",
      departments: byDepartment.map((ofDepartment) => toDepartment(ofDepartment, headings)),
    };
  });
  return { schools };
}

function toDepartment(sections: readonly Section[], headings: readonly Heading[]) {
  const { schoolName = "", deptCode = "" } = sections[0] ?? {};
  const heading = headings.find((one) => one.schoolName === schoolName && one.deptCode === deptCode);
  const courses = grouped(
    sections,
    (a, b) =>
      digitsOf(a.courseNumber) - digitsOf(b.courseNumber) ||
      byText(a.courseNumber, b.courseNumber) ||
      byText(a.courseTitle, b.courseTitle),
  );
  return {
    deptComment: heading?.deptComment ?? "",
    sectionCodeRangeComments: heading?.sectionCodeRangeComments ?? [],
    courseNumberRangeComments: heading?.courseNumberRangeComments ?? [],
    deptCode,
    deptName: heading?.deptName ?? deptCode,
    courses: courses.map((ofCourse) => ({
      deptCode,
      courseComment: ofCourse[0]?.courseComment ?? "",
      prerequisiteLink: ofCourse[0]?.prerequisiteLink ?? "",
      courseNumber: ofCourse[0]?.courseNumber ?? "",
      courseTitle: ofCourse[0]?.courseTitle ?? "",
      sections: ofCourse.sort((a, b) => byText(a.sectionCode, b.sectionCode)).map(toSection),
    })),
  };
}

/** What a section shows of its row. */
function toSection(row: Section) {
  const { sectionCode, sectionType, sectionNum, units, instructors, meetings, finalExam, maxCapacity } = row;
  const { numCurrentlyEnrolled, numOnWaitlist, numWaitlistCap, numRequested, numNewOnlyReserved } = row;
  const { restrictions, status, sectionComment } = row;
  return {
    sectionCode,
    sectionType,
    sectionNum,
    units,
    instructors,
    meetings,
    finalExam,
    maxCapacity,
    numCurrentlyEnrolled,
    numOnWaitlist,
    numWaitlistCap,
    numRequested,
    numNewOnlyReserved,
    restrictions,
    status,
    sectionComment,
  };
}
