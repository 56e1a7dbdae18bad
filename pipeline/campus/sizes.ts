/** The two sizes of the sample campus: one that a first build crawls in a minute, and a whole university. */
import type { CampusSize } from "../contract/sample-campus.ts";

export interface SizePlan {
  /** All departments, or only those marked for the standard campus. */
  readonly allDepartments: boolean;
  /** Sections of a quarter and of a summer session, relative to the real ones of 2024. */
  readonly mainScale: number;
  readonly summerScale: number;
  /** Courses in the catalogue, relative to the real number of the same departments. */
  readonly courseScale: number;
  /** People in the directory. */
  readonly people: number;
  /** Grade rows of a quarter and of a summer session. */
  readonly mainGrades: number;
  readonly summerGrades: number;
  /** Courses with tutorials in a quarter. */
  readonly tutorials: number;
}

/**
 * `full` has a quarter more sections than the real quarters, so that the terms since 2014 add up to about 650,000;
 * `standard` is an eighth of twenty-six departments, two of which have ended.
 */
export const SIZE_PLANS: Readonly<Record<CampusSize, SizePlan>> = {
  standard: {
    allDepartments: false,
    mainScale: 0.128,
    summerScale: 0.25,
    courseScale: 0.345,
    people: 250,
    mainGrades: 178,
    summerGrades: 26,
    tutorials: 9,
  },
  full: {
    allDepartments: true,
    mainScale: 1.222,
    summerScale: 1,
    courseScale: 1,
    people: 1800,
    mainGrades: 1545,
    summerGrades: 120,
    tutorials: 30,
  },
};
