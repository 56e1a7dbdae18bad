/** The whole campus as data: departments, courses and people at once, terms and grade rows on demand. */
import { LRUCache } from "lru-cache";
import type { Quarter, Term } from "../contract/vocabulary.ts";
import { courseText } from "./catalogue/course-text.ts";
import { createCourses } from "./courses/courses.ts";
import { campusDay, campusHour } from "./days.ts";
import { createDepartments } from "./courses/departments.ts";
import { CATALOGUE_PER_OFFERED } from "./facts/courses.ts";
import { gradeRows, type CampusGrade } from "./grades.ts";
import { offeredTerms } from "./courses/offered-terms.ts";
import type { PageData } from "./page-data.ts";
import { createPeople } from "./people.ts";
import { mix } from "./random.ts";
import type { CampusSize } from "../contract/sample-campus.ts";
import { SIZE_PLANS } from "./sizes.ts";
import { campusTerm, type CampusTerm } from "./sections/term-calendar.ts";
import { generateTerm, type GeneratedTerm } from "./sections/term.ts";
import { tutorialsOf } from "./tutorials.ts";

export interface CampusWorld extends PageData {
  readonly size: CampusSize;
  readonly seed: number;
  /** Terms whose grades are published, oldest first. */
  gradedTerms(): readonly CampusTerm[];
  /** The sections of a term, generated on first use and cached. */
  term(year: string, quarter: Quarter): GeneratedTerm;
  /** Grade rows of a term, as they will be after it. */
  grades(term: Term): readonly CampusGrade[];
}

export interface WorldOptions {
  readonly size: CampusSize;
  readonly seed: number;
  readonly clock: () => Date;
}

/** Generated terms are cached until they hold more sections than this (about 600 bytes each). */
const KEPT_SECTIONS = 50_000;

export function createWorld({ size, seed, clock }: WorldOptions): CampusWorld {
  const plan = SIZE_PLANS[size];
  const departments = createDepartments(plan, mix(seed, 1), CATALOGUE_PER_OFFERED);
  const courses = createCourses(departments);
  const people = createPeople(departments, plan.people, mix(seed, 2));
  const sources = { seed: mix(seed, 3), departments, courses, people };
  const kept = new LRUCache<string, GeneratedTerm>({
    maxSize: KEPT_SECTIONS,
    sizeCalculation: ({ sections }) => Math.max(1, sections.length),
  });
  const rows = new Map<string, readonly CampusGrade[]>();
  const today = () => campusDay(clock());
  const offered = perDay(today, offeredTerms);

  function term(year: string, quarter: Quarter): GeneratedTerm {
    const wanted = campusTerm({ year, quarter });
    const cached = kept.get(wanted.code);
    if (cached) return cached;
    const generated = generateTerm(sources, wanted, quarter === "Summer2" ? term(year, "Summer1") : undefined);
    kept.set(wanted.code, generated);
    // Compute the grade rows while the term is in memory: they are small, and the records office publishes them much
    // later.
    if (wanted.gradesOutOn <= today()) keepGrades(generated);
    return generated;
  }

  function keepGrades(generated: GeneratedTerm): readonly CampusGrade[] {
    const cached = rows.get(generated.term.code);
    if (cached) return cached;
    const computed = gradeRows(generated, generated.term.summer ? plan.summerGrades : plan.mainGrades);
    rows.set(generated.term.code, computed);
    return computed;
  }

  return {
    size,
    seed,
    departments,
    courses,
    people,
    today,
    hour: () => campusHour(clock()),
    terms: offered,
    gradedTerms: () => offered().filter((term) => term.gradesOutOn <= today()),
    term,
    courseText: (course) => courseText(course, courses[course.department.index] ?? []),
    calendar: campusTerm,
    tutorials: (asked) => {
      const wanted = campusTerm(asked);
      return offered().some(({ code }) => code === wanted.code)
        ? tutorialsOf({ size, seed, courses, people }, wanted)
        : [];
    },
    grades: ({ year, quarter }) => rows.get(campusTerm({ year, quarter }).code) ?? keepGrades(term(year, quarter)),
  };
}

/** Computes a value once a day. */
function perDay<T>(today: () => number, read: (day: number) => T): () => T {
  let kept: { day: number; value: T } | undefined;
  return () => {
    const day = today();
    if (kept?.day !== day) kept = { day, value: read(day) };
    return kept.value;
  };
}
