/** What the pages of every system but the records office are made from. The campus draws it; whoever has the same facts can show the same pages. */
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
  /** The day on which the campus is. */
  today(): number;
  /** That day with the hour as a fraction. */
  hour(): number;
  /** Terms of the form, oldest first. */
  terms(): readonly CampusTerm[];
  term(year: string, quarter: Quarter): TermSections;
  courseText(course: CampusCourse): CourseText;
  /** A term's dates, where it has any. */
  calendar(term: Term): CampusTerm | undefined;
  tutorials(term: Term): readonly TutoredCourse[];
}
