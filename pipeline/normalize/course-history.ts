/**
 * Teaching history from published sections and grades: who taught what, and when. Cancelled sections do not count, and
 * a term counts from its first day of instruction (pipeline/RULES.md, People). Memory grows with courses, people and
 * terms, not with sections.
 */
import type { TermDates } from "../contract/rows/calendar.ts";
import { compareCourseNumbers, courseKey, courseName, type CourseName } from "../contract/course-name.ts";
import { nameKey } from "../contract/name-key.ts";
import { type Quarter, type Term, compareTerms, parseTermName, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import type { People } from "./people/candidates.ts";
import { isNobody } from "./people/nobody.ts";

/** A record from a section or a grade row. */
export interface TeachingRecord extends Term, CourseName {
  readonly instructors: readonly string[];
  readonly cancelled: boolean;
}

export interface CourseHistory {
  /** Terms in which the course was taught, newest first. */
  termsOf(course: CourseName): string[];
  /** Network ids of the instructors who taught it, ascending. */
  instructorsOf(course: CourseName): string[];
  /** `I&C SCI 46` → terms, newest first; courses by department, then number. */
  coursesOf(netid: string): Record<string, string[]>;
}

/**
 * The start of a term that the calendar does not have: the latest first day of instruction of the years 2014–2025,
 * month and day.
 */
const LATEST_START: Readonly<Record<Quarter, string>> = {
  Winter: "01-09",
  Spring: "04-03",
  Summer1: "06-26",
  Summer10wk: "06-26",
  Summer2: "08-07",
  Fall: "10-02",
};

interface TaughtCourse {
  readonly name: CourseName;
  readonly terms: Set<string>;
  /** Terms by the key of a shortened name. */
  readonly people: Map<string, Set<string>>;
}

/** True when the term's first day of instruction has been reached. */
function hasBegun({ year, quarter }: Term, calendar: readonly TermDates[], today: string): boolean {
  const dates = calendar.find((term) => term.year === year && term.quarter === quarter);
  return (dates?.instructionStart ?? `${year}-${LATEST_START[quarter]}`) <= today;
}

/** Collects records, in any order and with repetitions, then builds the history. */
export function createTaughtCourses(calendar: readonly TermDates[], today: string) {
  const courses = new Map<string, TaughtCourse>();
  // Stores a string for each term, shared by all sets; null = not begun.
  const begun = new Map<Quarter, Map<string, string | null>>();

  function begunTerm({ year, quarter }: Term): string | null {
    const years = begun.get(quarter) ?? new Map<string, string | null>();
    begun.set(quarter, years);
    const beginnings = years.get(year);
    if (beginnings !== undefined) return beginnings;
    const result = hasBegun({ year, quarter }, calendar, today) ? termName({ year, quarter }) : null;
    years.set(year, result);
    return result;
  }

  // Cache the keys: half a million sections have only some thousand names.
  const keys = new Map<string, string | null>();
  /** Returns null for placeholders. */
  function keyOf(instructor: string): string | null {
    let key = keys.get(instructor);
    if (key === undefined) keys.set(instructor, (key = isNobody(instructor) ? null : nameKey(instructor)));
    return key;
  }

  return {
    add(record: TeachingRecord): void {
      const term = record.cancelled ? null : begunTerm(record);
      if (term === null) return;
      const course = courseIn(courses, record);
      course.terms.add(term);
      for (const instructor of record.instructors) {
        const name = keyOf(instructor);
        if (name === null) continue;
        const terms = course.people.get(name);
        if (terms) terms.add(term);
        else course.people.set(name, new Set([term]));
      }
    },
    /** Builds the history; `people` resolves the shortened names. */
    build: (people: People, tally: Tally): CourseHistory => buildHistory(courses, people, tally),
  };
}

function courseIn(courses: Map<string, TaughtCourse>, record: TeachingRecord): TaughtCourse {
  const key = courseKey(record);
  const entry = courses.get(key);
  if (entry) return entry;
  const { department, courseNumber } = record;
  const course: TaughtCourse = { name: { department, courseNumber }, terms: new Set(), people: new Map() };
  courses.set(key, course);
  return course;
}

function buildHistory(courses: ReadonlyMap<string, TaughtCourse>, people: People, tally: Tally): CourseHistory {
  const instructors = new Map<string, Set<string>>();
  const taught = new Map<string, { name: CourseName; terms: Set<string> }[]>();
  for (const [key, { name, people: named }] of courses) {
    const ids = new Set<string>();
    // A person may have two shortened names.
    const terms = new Map<string, Set<string>>();
    for (const [shortened, itsTerms] of named) {
      const { netids, elsewhere } = people.named(shortened, name.department);
      if (netids.length > 1)
        tally.note("a shortened name belongs to several people", `${shortened.toUpperCase()}: ${courseName(name)}`);
      if (elsewhere) {
        const where = `the section's department is ${name.department}, the person's ${elsewhere.join(", ")}`;
        const text = `${shortened.toUpperCase()}: ${courseName(name)}; ${where}`;
        tally.note("the only person of a shortened name is of another department", text);
      }
      for (const netid of netids) {
        ids.add(netid);
        const courseTerms = terms.get(netid);
        terms.set(netid, courseTerms ? new Set([...courseTerms, ...itsTerms]) : itsTerms);
      }
    }
    if (ids.size > 0) instructors.set(key, ids);
    for (const [netid, itsTerms] of terms) {
      const courses = taught.get(netid);
      if (courses) courses.push({ name, terms: itsTerms });
      else taught.set(netid, [{ name, terms: itsTerms }]);
    }
  }
  return {
    termsOf: (course) => newestFirst(courses.get(courseKey(course))?.terms),
    instructorsOf: (course) => [...(instructors.get(courseKey(course)) ?? [])].sort(),
    coursesOf: (netid) =>
      Object.fromEntries(
        (taught.get(netid) ?? [])
          .sort((a, b) => compareCourses(a.name, b.name))
          .map(({ name, terms }) => [courseName(name), newestFirst(terms)]),
      ),
  };
}

function compareCourses(a: CourseName, b: CourseName): number {
  if (a.department !== b.department) return a.department < b.department ? -1 : 1;
  return compareCourseNumbers(a.courseNumber, b.courseNumber);
}

function newestFirst(terms: ReadonlySet<string> | undefined): string[] {
  return [...(terms ?? [])]
    .flatMap((name) => parseTermName(name) ?? [])
    .sort((a, b) => compareTerms(b, a))
    .map(termName);
}
