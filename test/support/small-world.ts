/** A few departments and terms of the visible world, two years later (tutorials begin in 2019): what a run of two seconds crawls whole. */
import { compareTerms, type Term } from "../../pipeline/contract/vocabulary.ts";
import { readVisibleWorld, type Row, type World } from "./whole-run.ts";

export const [WINTER, SUMMER, FALL, NEXT_FALL] = [
  { year: "2019", quarter: "Winter" },
  { year: "2019", quarter: "Summer1" },
  { year: "2019", quarter: "Fall" },
  { year: "2020", quarter: "Fall" },
] as const satisfies Term[];

const TERMS: readonly Term[] = [WINTER, SUMMER, FALL, NEXT_FALL];
const DEPARTMENTS: readonly unknown[] = ["I&C SCI", "STATS", "DANCE", "CRM/LAW"];

/** In the middle of 2019 Fall: Winter and Summer1 are over, 2020 Fall is announced. */
export const OCTOBER = new Date("2019-10-10T18:00:00Z");
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** A clock that stands still at this time after `OCTOBER`. */
export const later =
  ({ days = 0, hours = 0 }) =>
  () =>
    new Date(OCTOBER.getTime() + days * DAY_MS + hours * HOUR_MS);

export const isOf =
  (...terms: readonly Term[]) =>
  (row: Row | Term): boolean =>
    terms.some((term) => compareTerms(row as unknown as Term, term) === 0);

/** The same day two years later. */
function inTwoYears(row: Row): Row {
  const shift = (value: unknown) =>
    typeof value === "string" && /^\d{4}(?:-\d\d-\d\d)?$/.test(value)
      ? `${Number(value.slice(0, 4)) + 2}${value.slice(4)}`
      : value;
  const names = ["year", "instructionStart", "instructionEnd", "finalsStart", "finalsEnd"];
  return { ...row, ...Object.fromEntries(names.filter((name) => name in row).map((name) => [name, shift(row[name])])) };
}

export async function readSmallWorld(): Promise<World> {
  const world = await readVisibleWorld();
  const isNamed = (field: string) => (row: Row) => DEPARTMENTS.includes(row[field]);
  const departments = world.departments.filter(isNamed("code"));
  const schools = new Set(departments.map((row) => row["school"]));
  const ofTerms = (rows: Row[]) => rows.map(inTwoYears).filter(isOf(...TERMS));
  return {
    ...world,
    terms: ofTerms(world.terms),
    schools: world.schools.filter((row) => schools.has(row["name"])),
    departments,
    sections: ofTerms(world.sections.filter(isNamed("deptCode"))),
    grades: ofTerms(world.grades.filter(isNamed("department"))),
    courses: world.courses.filter(isNamed("department")),
    instructors: world.instructors.slice(0, 60),
    calendar: world.calendar.map(inTwoYears),
  };
}
