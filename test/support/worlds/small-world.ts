/**
 * A few departments and terms of the invented world, two years later (tutorials begin in 2019), which a run crawls
 * completely in two seconds.
 */
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { isOf, type World, type WorldTerm } from "./world.ts";
import { inventedWorld } from "./worlds.ts";

export const [WINTER, SUMMER, FALL, NEXT_FALL] = [
  { year: "2019", quarter: "Winter" },
  { year: "2019", quarter: "Summer1" },
  { year: "2019", quarter: "Fall" },
  { year: "2020", quarter: "Fall" },
] as const satisfies Term[];

const TERMS: readonly Term[] = [WINTER, SUMMER, FALL, NEXT_FALL];
const DEPARTMENTS: readonly string[] = ["I&C SCI", "STATS", "DANCE", "CRM/LAW"];

/** A day in the middle of 2019 Fall: Winter and Summer1 are over, 2020 Fall is announced. */
export const OCTOBER = new Date("2019-10-10T18:00:00Z");
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** A clock that stands still at this time after `OCTOBER`. */
export const later =
  ({ days = 0, hours = 0 }) =>
  () =>
    new Date(OCTOBER.getTime() + days * DAY_MS + hours * HOUR_MS);

const shifted = (text: string): string => `${Number(text.slice(0, 4)) + 2}${text.slice(4)}`;
const inTwoYears = <T extends WorldTerm>(row: T): T => ({ ...row, year: shifted(row.year) });

export function readSmallWorld(): World {
  const world = inventedWorld.read();
  const departments = world.departments.filter(({ code }) => DEPARTMENTS.includes(code));
  const schools = new Set(departments.map(({ school }) => school));
  const ofTerms = <T extends WorldTerm>(rows: T[]): T[] => rows.map(inTwoYears).filter(isOf(...TERMS));
  return {
    ...world,
    terms: ofTerms(world.terms),
    schools: world.schools.filter(({ name }) => schools.has(name)),
    departments,
    sections: ofTerms(world.sections.filter(({ deptCode }) => DEPARTMENTS.includes(deptCode))),
    grades: ofTerms(world.grades.filter(({ department }) => DEPARTMENTS.includes(department))),
    courses: world.courses.filter(({ department }) => DEPARTMENTS.includes(department)),
    instructors: world.instructors.filter(({ relatedDepartments }) =>
      relatedDepartments.every((code) => DEPARTMENTS.includes(code)),
    ),
    calendar: world.calendar.map(inTwoYears).map((row) => ({
      ...row,
      instructionStart: shifted(row.instructionStart),
      instructionEnd: shifted(row.instructionEnd),
      finalsStart: shifted(row.finalsStart),
      finalsEnd: shifted(row.finalsEnd),
    })),
  };
}

/** The world with every kind of comment. */
export const commented = (world: World): World => ({
  ...world,
  departments: world.departments.map((row) => ({
    ...row,
    comment: `<p>Ask the office of ${row.name}.</p>`,
    sectionCodeRangeComments: ["<p>By application only.</p>"],
    courseNumberRangeComments: ["<p>For majors.</p>"],
  })),
});
