/** Sections of a term as views show them: what is requested, and in which order they stand. */
import { addressOf } from "./addresses.ts";
import type { ResponseBody } from "./response-body.ts";
import { termQuery } from "./term-names.ts";

type Schedule = ResponseBody<"Schedule">;

/** Flattens a schedule response. */
export const sectionsIn = ({ schools }: Schedule) =>
  schools.flatMap(({ departments, ...school }) =>
    departments.flatMap(({ courses, ...department }) =>
      courses.flatMap(({ sections, ...course }) =>
        sections.map((section) => ({ ...school, ...department, ...course, ...section })),
      ),
    ),
  );

export type SectionLine = ReturnType<typeof sectionsIn>[number] & { readonly isCancelled: boolean };

/**
 * A section of a response does not say whether it is cancelled, so two responses are needed: those that are not, and
 * those that are. `query` has filters of `/schedule`, such as `department` and `courseNumber`.
 */
export function scheduleAddresses(term: string, query: Readonly<Record<string, string | undefined>>): string[] {
  const all = { ...termQuery(term), ...query, cacheOnly: "true", instructorIds: "true" };
  return [addressOf("/schedule", all), addressOf("/schedule", { ...all, cancelledCourses: "Only" })];
}

export const byCourseAndCode = (a: SectionLine, b: SectionLine): number =>
  a.deptCode.localeCompare(b.deptCode) ||
  a.courseNumber.localeCompare(b.courseNumber, undefined, { numeric: true }) ||
  a.sectionCode.localeCompare(b.sectionCode);

/** The lines of the two responses that `scheduleAddresses` names, by course and code. */
export function toSectionLines(live: Schedule, cancelled: Schedule): SectionLine[] {
  const lines = [
    ...sectionsIn(live).map((section) => ({ ...section, isCancelled: false })),
    ...sectionsIn(cancelled).map((section) => ({ ...section, isCancelled: true })),
  ];
  return lines.toSorted(byCourseAndCode);
}

export const courseOf = ({ deptCode, courseNumber }: Pick<SectionLine, "deptCode" | "courseNumber">): string =>
  `${deptCode} ${courseNumber}`;
/** `Lec A`. */
export const sectionName = ({ sectionType, sectionNum }: Pick<SectionLine, "sectionType" | "sectionNum">): string =>
  `${sectionType} ${sectionNum}`;

/** `COMPSCI 161` as filters of `/schedule` and of grades. */
export function courseQuery(course: string): { department: string; courseNumber: string } {
  const index = course.lastIndexOf(" ");
  return { department: course.slice(0, Math.max(index, 0)), courseNumber: course.slice(index + 1) };
}
