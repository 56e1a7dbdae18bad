/** Joins catalogue and directory with the course history. **Output:** `courses`, `instructors`. */
import { courseIdKey, courseName } from "../contract/course-name.ts";
import { createFormerNames } from "../contract/former-names.ts";
import type { FormerName } from "../contract/rows/former-name.ts";
import type { CatalogueCourse, Course } from "../contract/rows/course.ts";
import type { DirectoryInstructor, Instructor } from "../contract/rows/instructor.ts";
import type { CourseHistory } from "./course-history.ts";
import type { NamedPerson } from "./people/candidates.ts";

/** Adds terms, instructors, and the courses that require this one by any of its names, in the order of `catalogue`. */
export function toCourses(
  catalogue: readonly CatalogueCourse[],
  history: CourseHistory,
  formerNames: readonly FormerName[] = [],
): Course[] {
  const keys = new Set(catalogue.map(({ id }) => courseIdKey(id)));
  const { courseIdsOf } = createFormerNames(formerNames);
  const requiredBy = new Map<string, Set<string>>();
  for (const course of catalogue) {
    for (const leaf of course.prerequisiteList) {
      const [key, ...others] = courseIdsOf(leaf, keys).map(courseIdKey);
      // A course that requires its former name does not require itself.
      const isOther = key === courseIdKey(leaf) || key !== courseIdKey(course.id);
      if (key === undefined || others.length > 0 || !isOther) continue;
      requiredBy.set(key, (requiredBy.get(key) ?? new Set()).add(courseName(course)));
    }
  }
  return catalogue.map((course) => ({
    ...course,
    prerequisiteFor: [...(requiredBy.get(courseIdKey(course.id)) ?? [])],
    instructorHistory: history.instructorsOf(course),
    terms: history.termsOf(course),
  }));
}

/** Adds the course history. */
export function toInstructors(directory: readonly DirectoryInstructor[], history: CourseHistory): Instructor[] {
  return directory.map((person) => ({ ...person, courseHistory: history.coursesOf(person.netid) }));
}

/** A person's departments: relatedDepartments and the codes of the person's department (pipeline/RULES.md, People). */
export function toNamedPeople(
  directory: readonly DirectoryInstructor[],
  departments: readonly NamedDepartment[],
): NamedPerson[] {
  const codesOf = departmentCodes(departments);
  return directory.map(({ netid, shortenedName, relatedDepartments, department }) => ({
    netid,
    shortenedName,
    departments: [...relatedDepartments, ...codesOf(department)],
  }));
}

export interface NamedDepartment {
  readonly code: string;
  readonly name: string;
}

/** `Criminology, Law & Society` = `Criminology, Law and Society`. */
const nameKey = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/**
 * Returns a function for the codes of all departments of a name in the catalogue and the search form, which may differ.
 * The directory prefixes some names with a unit: `Arts-Dance`, `SOM - Neurology`.
 */
export function departmentCodes(departments: readonly NamedDepartment[]): (name: string) => string[] {
  const keyed = departments.map(({ code, name }) => ({ code, key: nameKey(name) }));
  const codes = new Map<string, string[]>();
  return (name) => {
    const existing = codes.get(name);
    if (existing) return existing;
    const wanted = new Set([name, name.replace(/^[^-]*-\s*/, "")].map(nameKey).filter(Boolean));
    const ofName = [...new Set(keyed.filter(({ key }) => wanted.has(key)).map(({ code }) => code))];
    codes.set(name, ofName);
    return ofName;
  };
}
