/** Converts printed tutorials to rows of the contract. **Output:** `larc`. */
import { courseIdKey } from "../contract/course-name.ts";
import type { LarcCourse } from "../contract/rows/larc.ts";
import { type Term, termName } from "../contract/vocabulary.ts";
import type { Tally } from "../contract/documents/tally.ts";
import { isNobody } from "./people/nobody.ts";
import { differencesOf, type Join } from "./reconcile.ts";
import { toDays } from "./schedule/days.ts";
import { isSameTitle } from "./titles.ts";

export interface PrintedTutorials {
  readonly groups: readonly {
    readonly courseNumber: string;
    readonly courseName: string;
    readonly sections: readonly {
      readonly days: string;
      readonly time: string;
      readonly instructor: string;
      readonly building: string;
    }[];
  }[];
  readonly unreadable: readonly string[];
}

/** Tutorials and their course (pipeline/RULES.md, Contradictions): neither side takes over anything from the other. */
export const TUTORIAL_AND_COURSE: Join<Pick<LarcCourse, "courseName">, { readonly title: string }, "title"> = {
  left: "the tutorial",
  right: "the course",
  facts: {
    title: {
      name: "title",
      left: ({ courseName }) => courseName,
      right: ({ title }) => title,
      compare: ([left, right]) => (isSameTitle(left, right) ? "same" : "other"),
      wins: "left",
    },
  },
  isRefused: () => false,
};

/** The titles of courses in catalogue and schedule, by `courseIdKey` of their names. */
export type CourseTitles = ReadonlyMap<string, readonly string[]>;

/** Reports tutorials whose course is neither in the catalogue nor in the schedule, or has another title in both. */
export function noteTutorials(term: Term, rows: readonly LarcCourse[], titles: CourseTitles, tally: Tally): void {
  if (titles.size === 0) return;
  for (const row of rows) {
    const name = `${termName(term)}: ${row.courseNumber}`;
    const courseTitles = titles.get(courseIdKey(row.courseNumber));
    if (!courseTitles) tally.note("tutorials of a course that neither catalogue nor schedule has", name);
    const differences = (courseTitles ?? []).map((title) => differencesOf(TUTORIAL_AND_COURSE, row, { title }));
    if (differences.length > 0 && !differences.includes(""))
      tally.note("tutorials of a course with another title", `${name}; ${differences[0]}`);
  }
}

/**
 * The courses of a term, by number and name; a course that is printed twice is a single row with the sections of both.
 */
export function toLarcCourses(term: Term, page: PrintedTutorials, tally: Tally): LarcCourse[] {
  tally.read(page.groups.length + page.unreadable.length);
  for (const text of page.unreadable)
    tally.drop("the heading names no course", `${termName(term)}: ${text.slice(0, 80)}`);
  const rows = new Map<string, LarcCourse>();
  for (const { courseNumber, courseName, sections } of page.groups) {
    for (const { instructor } of sections)
      if (instructor !== "" && isNobody(instructor))
        tally.note(
          "a placeholder instead of a tutor's name, left out",
          `${termName(term)} ${courseNumber}: ${instructor}`,
        );
    const key = JSON.stringify([courseNumber, courseName]);
    const row = rows.get(key);
    const added = sections.map(({ days, time, instructor, building }) => ({
      day: toDays(days) ?? days,
      time: toTime(time),
      instructor: isNobody(instructor) ? "" : instructor,
      building: /^online$/i.test(building) ? "ON LINE" : building,
    }));
    if (row) {
      for (const section of added) row.sections.push(section);
      tally.note("a course is printed twice", `${termName(term)}: ${courseNumber}`);
    } else {
      rows.set(key, { year: term.year, quarter: term.quarter, courseNumber, courseName, sections: added });
      tally.keep();
    }
  }
  return [...rows.values()];
}

/** `9:00 - 10:50 AM`, `9:00 to 10:50 a.m.` → `9:00-10:50a`; a suffix at the start is kept. */
function toTime(text: string): string {
  return text
    .replace(/\s+/g, "")
    .replace(/(?<=\d)([ap])\.?m\.?/gi, (_, half: string) => half.toLowerCase())
    .replace(/[\u2010-\u2015\u2212]|(?<=\d[ap]?)to(?=\d)/gi, "-");
}
