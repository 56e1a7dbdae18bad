/** Which discussions and laboratories belong to which lecture, as far as the schedule says it. */
import { byCourseAndCode, courseOf, type SectionLine } from "./sections.ts";

/** The fields of a section that grouping needs. */
export interface Grouped {
  readonly sectionCode: string;
  readonly sectionType: string;
  readonly sectionNum: string;
  readonly units: string;
}

/** True for a section without units: it is taken with one that has them, such as a discussion with its lecture. */
export const isSecondary = ({ units }: Pick<Grouped, "units">): boolean => Number(units) === 0;

const lettersOf = ({ sectionNum }: Grouped): string => /^[A-Za-z]*/.exec(sectionNum)?.[0] ?? "";

export interface CourseGroups<S extends Grouped> {
  /** A section with units, and those without that belong to it. */
  readonly groups: readonly { readonly lecture: S; readonly others: readonly S[] }[];
  /** Sections without units of which the schedule does not say where they belong. */
  readonly loose: readonly S[];
}

/**
 * Groups the sections of a course: `Dis A2` belongs to `Lec A`, and everything numbered to the only lecture. Sections
 * stay loose if two lectures have the letter, or if all letters are those of the first of several lectures.
 */
export function groupsOf<S extends Grouped>(lines: readonly S[]): CourseGroups<S> {
  const lectures = lines.filter((line) => !isSecondary(line));
  const secondaries = lines.filter(isSecondary);
  const isAlike = lectures.length > 1 && secondaries.every((line) => lettersOf(line) === lectures[0]?.sectionNum);
  const lectureOf = (line: S): S | undefined => {
    const letters = lettersOf(line);
    if (lectures.length === 1 && letters === "") return lectures[0];
    const named = isAlike ? [] : lectures.filter(({ sectionNum }) => sectionNum === letters);
    return named.length === 1 ? named[0] : undefined;
  };
  return {
    groups: lectures.map((lecture) => ({ lecture, others: secondaries.filter((line) => lectureOf(line) === lecture) })),
    loose: secondaries.filter((line) => lectureOf(line) === undefined),
  };
}

/** In the order of a table: each section below the lecture that it belongs to, or else stands after. */
export function underLectures(lines: readonly SectionLine[]): SectionLine[] {
  const courses = new Map<string, SectionLine[]>();
  for (const line of lines) courses.set(courseOf(line), [...(courses.get(courseOf(line)) ?? []), line]);
  return [...courses.values()].flatMap((ofCourse) => {
    const { groups, loose } = groupsOf(ofCourse);
    const previous = (line: SectionLine) =>
      groups.findLast(({ lecture }) => lecture.sectionCode < line.sectionCode)?.lecture;
    const first = loose.filter((line) => previous(line) === undefined);
    const blocks = groups.map(({ lecture, others }) => [
      lecture,
      ...[...others, ...loose.filter((line) => previous(line) === lecture)].toSorted(byCourseAndCode),
    ]);
    return [...first.map((line) => [line]), ...blocks]
      .toSorted(([a], [b]) => (a && b ? byCourseAndCode(a, b) : 0))
      .flat();
  });
}

/** The table in parts: a lecture, and what stands below it. */
export function foldsOf(lines: readonly SectionLine[]): SectionLine[][] {
  const folds: SectionLine[][] = [];
  for (const line of underLectures(lines)) {
    const last = folds.at(-1);
    if (last && isSecondary(line)) last.push(line);
    else folds.push([line]);
  }
  return folds;
}
