/**
 * The data behind the pages of every system except the records office. The campus generates it; another source of the
 * same facts can show the same pages.
 */
import type { Quarter, Term } from "../contract/vocabulary.ts";
import type { CourseText } from "./catalogue/course-text.ts";
import type { CampusCourse } from "./courses/courses.ts";
import type { CampusDepartment } from "./courses/departments.ts";
import type { Person } from "./people.ts";
import type { CampusTerm } from "./sections/term-calendar.ts";
import type { TermSections } from "./sections/term.ts";
import type { TutoredCourse } from "./tutorials.ts";

export interface PageData {
  readonly departments: readonly CampusDepartment[];
  /** Courses and people by the department's index. */
  readonly courses: readonly (readonly CampusCourse[])[];
  readonly people: readonly (readonly Person[])[];
  /** The current day on campus. */
  today(): number;
  /** The current day with the hour as a fraction. */
  hour(): number;
  /** Terms of the form, oldest first. */
  terms(): readonly CampusTerm[];
  term(year: string, quarter: Quarter): TermSections;
  courseText(course: CampusCourse): CourseText;
  /** A term's dates; undefined if it has none. */
  calendar(term: Term): CampusTerm | undefined;
  tutorials(term: Term): readonly TutoredCourse[];
}
