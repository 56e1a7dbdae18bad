/**
 * A course's name, `I&C SCI 46`: the department code (which may hold blanks), one blank, the course number (which may
 * not).
 */
import { departmentKey } from "./vocabulary.ts";

export interface CourseName {
  readonly department: string;
  readonly courseNumber: string;
}

/** Splits `I&C SCI 46` at its last blank; undefined when the last word has no digit (`AP PSYCHOLOGY`). */
export function splitCourseName(name: string): CourseName | undefined {
  const words = name.trim().split(/\s+/);
  const courseNumber = words.pop() ?? "";
  return words.length > 0 && /\d/.test(courseNumber) ? { department: words.join(" "), courseNumber } : undefined;
}

/** `I&C SCI 46`. */
export function courseName({ department, courseNumber }: CourseName): string {
  return `${department} ${courseNumber}`;
}

/** `I&CSCI46`: the department code without blanks, then the number (interface specification, Course.id). */
export function courseId({ department, courseNumber }: CourseName): string {
  return department.replace(/\s/g, "") + courseNumber;
}

/**
 * The key for finding a course by its id or its name, which is the id with blanks: without case and blanks. Ids have no
 * blanks, so that no name is another course's id.
 */
export const courseIdKey = (text: string): string => text.replace(/\s/g, "").toLowerCase();

/** `courseIdKey` as SQL. */
export const courseIdKeySql = (text: string): string => String.raw`lower(regexp_replace(${text}, '\s', '', 'g'))`;

/**
 * The key for comparing courses, without case and blanks. It is unique, as neither part contains a blank.
 */
export function courseKey({ department, courseNumber }: CourseName): string {
  return `${departmentKey(department)} ${courseNumber.replace(/\s/g, "").toUpperCase()}`;
}

/** Negative when course number `a` precedes `b`: by its digits, then as text. */
export function compareCourseNumbers(a: string, b: string): number {
  const digits = (text: string): number => Number(text.replace(/\D/g, "").slice(0, 9));
  return digits(a) - digits(b) || (a < b ? -1 : a > b ? 1 : 0);
}
