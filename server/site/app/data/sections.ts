/** Sections of a term as views show them: what is requested, and in which order they stand. */
import { addressOf } from "./addresses.ts";
import type { ResponseBody } from "./fetch-json.ts";
import { termQuery } from "./terms.ts";

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
  const all = { ...termQuery(term), ...query, cacheOnly: "true" };
  return [addressOf("/schedule", all), addressOf("/schedule", { ...all, cancelledCourses: "Only" })];
}

const byCourseAndCode = (a: SectionLine, b: SectionLine): number =>
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

export const courseOf = ({ deptCode, courseNumber }: SectionLine): string => `${deptCode} ${courseNumber}`;
/** `Lec A`. */
export const sectionName = ({ sectionType, sectionNum }: SectionLine): string => `${sectionType} ${sectionNum}`;

/** Of no units: taken with a section that has them, such as a discussion with its lecture. */
export const isSecondary = ({ units }: SectionLine): boolean => Number(units) === 0;

/** `Dis A2` belongs to `Lec A`; without one of that letter, to the section with units that stands before it. */
export function underLectures(lines: readonly SectionLine[]): SectionLine[] {
  const groups: [first: SectionLine, ...others: SectionLine[]][] = lines
    .filter((line) => !isSecondary(line))
    .map((line) => [line]);
  const orphans: SectionLine[] = [];
  for (const line of lines.filter(isSecondary)) {
    const sameCourse = groups.filter(([first]) => courseOf(first) === courseOf(line));
    const letters = /^[A-Za-z]*/.exec(line.sectionNum)?.[0];
    const group =
      sameCourse.find(([{ sectionNum }]) => sectionNum === letters) ??
      sameCourse.findLast(([{ sectionCode }]) => sectionCode < line.sectionCode);
    if (group) group.push(line);
    else orphans.push(line);
  }
  return [...orphans.map((line): [SectionLine] => [line]), ...groups]
    .toSorted(([a], [b]) => byCourseAndCode(a, b))
    .flat();
}
