/** The learning center's tutorials of a term: which courses have some, when and where they meet, and with whom. */
import { courseName, type CampusCourse } from "./courses/courses.ts";
import { fullName, type Person } from "./people.ts";
import { draw, hashText, mix, pick } from "./random.ts";
import type { CampusSize } from "../contract/sample-campus.ts";
import { SIZE_PLANS } from "./sizes.ts";
import type { CampusTerm } from "./sections/term-calendar.ts";

export interface TutoredCourse {
  /** `COMPSCI 161`; `sameAs` is "" if the class belongs to only one department. */
  readonly name: string;
  readonly sameAs: string;
  readonly title: string;
  readonly tutorials: readonly Tutorial[];
}

export interface Tutorial {
  /** As printed: `Mon/Wed`, `9:00 - 10:50 AM`. */
  readonly days: string;
  readonly time: string;
  readonly tutor: string;
  readonly place: string;
}

const DAYS = ["Mon/Wed", "Tue/Thu", "Mon", "Wed", "Fri", "Tue", "Thu", "Mon/Wed/Fri"] as const;
const TIMES = ["9:00 - 10:50 AM", "11:00 AM - 12:50 PM", "1:00 - 2:50 PM", "3:00 - 4:50 PM", "5:00 - 6:50 PM"] as const;
const PLACES = ["Online", "RH 114", "SH 270", "ALP 1300"] as const;

interface TutoredCampus {
  readonly size: CampusSize;
  readonly seed: number;
  readonly courses: readonly (readonly CampusCourse[])[];
  readonly people: readonly (readonly Person[])[];
}

/** Large lower-division courses; a few in summer. */
export function tutoredCourses({ courses, size, seed }: TutoredCampus, term: CampusTerm): CampusCourse[] {
  const count = Math.ceil(SIZE_PLANS[size].tutorials / (term.summer ? 3 : 1));
  const termSeed = mix(seed, hashText(term.code));
  return courses
    .flat()
    .filter((course) => course.kind === "lecture" && course.offered && course.digits < 100)
    .map((course) => ({ course, rank: draw(mix(course.seed, termSeed), 141) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ course }) => course);
}

export const tutorialsOf = (campus: TutoredCampus, term: CampusTerm): TutoredCourse[] =>
  tutoredCourses(campus, term).map((course) => {
    const seed = mix(course.seed, hashText(term.code));
    const twin = course.mirrorOf ?? course.mirroredBy;
    const count = 1 + Math.floor(draw(seed, 142) * 4);
    return {
      name: courseName(course),
      sameAs: twin ? courseName(twin) : "",
      title: course.title.replace(/[()]/g, ""),
      tutorials: Array.from({ length: count }, (_, i) => planTutorial(campus, course, mix(seed, i))),
    };
  });

function planTutorial({ people }: TutoredCampus, course: CampusCourse, seed: number): Tutorial {
  const staff = (people[course.department.index] ?? []).filter(({ netid }) => netid === undefined);
  return {
    days: pick(DAYS, draw(seed, 144)),
    time: pick(TIMES, draw(seed, 145)),
    tutor: fullName(pick(staff, draw(seed, 143))),
    place: pick(PLACES, draw(seed, 146)),
  };
}
