/** A row of the registrar's requirements and the course of the catalogue (pipeline/RULES.md, Contradictions). */
import { courseKey, splitCourseName } from "../../contract/course-name.ts";
import type { Tally } from "../../contract/documents/tally.ts";
import { differencesOf, type Join } from "../reconcile.ts";
import { isSameTitle } from "../titles.ts";

interface Titled {
  readonly title?: string;
}
interface PrintedCourse extends Titled {
  readonly code: string;
}
interface PrintedRequirement extends Titled {
  readonly course: string;
  readonly requirement: string;
}

/** Joined by the course's name, or its former one; the catalogue wins the title. */
export const REQUIREMENT_AND_COURSE: Join<Titled, Titled, "title"> = {
  left: "the requirement",
  right: "the course",
  facts: {
    title: {
      name: "title",
      left: ({ title = "" }) => title,
      right: ({ title = "" }) => title,
      compare: ([left, right]) => (isSameTitle(left, right) ? "same" : "other"),
      wins: "right",
    },
  },
  isRefused: () => false,
};

/**
 * Reports the requirements that no course has, that another row of the same course replaces, or whose title is
 * another one.
 */
export function noteRequirements(
  requirements: readonly PrintedRequirement[],
  catalogue: readonly PrintedCourse[],
  tally: Tally,
): void {
  const courses = new Map<string, PrintedCourse>();
  for (const course of catalogue) {
    const name = splitCourseName(course.code);
    if (name) courses.set(courseKey(name), course);
  }
  const first = new Map<string, string>();
  for (const { course, requirement, title = "" } of requirements) {
    if (requirement === "") continue;
    const text = `${course}: ${requirement}`;
    const keys = keysOf(course);
    const [key] = keys;
    const catalogued = keys.flatMap((name) => courses.get(name) ?? [])[0];
    if (key === undefined) tally.drop("a requirement without a course's name", text);
    else if (!catalogued) tally.drop("a requirement of a course that the catalogue does not have", text);
    else {
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, requirement);
      else if (earlier !== requirement)
        tally.drop("another requirement of a course, of which the first stands", `${text}; the first is ${earlier}`);
      const differences = differencesOf(REQUIREMENT_AND_COURSE, { title }, catalogued);
      if (differences !== "") tally.note("a requirement of a course with another title", `${course}; ${differences}`);
    }
  }
}

/** The keys of the courses in a cell, the present name first: `NEW * OLD since TERM`. */
const keysOf = (cell: string): string[] =>
  cell
    .split("*")
    .flatMap((name) => splitCourseName(name.replace(/\s+since\b.*$/i, "")) ?? [])
    .map(courseKey);
