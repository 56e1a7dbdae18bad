/**
 * Generates the sections of an offering from its sketch: codes are assigned, everything else follows from the section's
 * seed.
 */
import type { CampusCourse } from "../courses/courses.ts";
import { GIANT_CAPACITY, GIANT_COURSE } from "../facts/known-courses.ts";
import {
  CAPACITIES,
  INDIVIDUAL_KINDS,
  INSTRUCTOR_COUNTS,
  RESTRICTIONS,
  STAFF_NAMED_LATER,
  STAFF_SHARE,
} from "../facts/sections.ts";
import { INSTRUCTOR_CHANGED_SHARE } from "../facts/enrolment.ts";
import { planFinal, planMeetings } from "./meetings.ts";
import type { SectionSketch } from "../courses/offerings.ts";
import type { Person } from "../people.ts";
import { createStream, draw, mix, percentiles, pick, weighted } from "../random.ts";
import type { CampusSection, Offering } from "./section.ts";
import type { CampusTerm } from "./term-calendar.ts";

const capacities = new Map(Object.entries(CAPACITIES).map(([type, points]) => [type, percentiles(points)]));
const instructorCount = weighted<number>(INSTRUCTOR_COUNTS);
const restriction = weighted(RESTRICTIONS);

/** `position` is the section's place in its offering. */
export function makeSection(
  offering: Offering,
  sketch: SectionSketch,
  code: number,
  position: number,
  staff: readonly Person[],
  term: CampusTerm,
  termSeed: number,
): CampusSection {
  const seed = mix(termSeed, code);
  const random = createStream(seed);
  const { course } = offering;
  const giant = sketch.main && position === 0 && isGiant(course) && term.quarter === "Fall";
  const meetings = giant ? ONLINE_ANYTIME : planMeetings(sketch.type, term, random);
  return {
    offering,
    seed,
    planSeed: seed,
    code,
    codeText: String(code).padStart(5, "0"),
    type: sketch.type,
    num: sketch.num,
    units: sketch.main ? course.units : "0",
    main: sketch.main,
    geCategories: sketch.main ? course.geCategories : [],
    instructors: chooseInstructors(course, sketch, position, staff, random),
    substitute: draw(seed, 31) < INSTRUCTOR_CHANGED_SHARE ? pick(staff, draw(seed, 32)).shortName : undefined,
    meetings,
    final: planFinal(sketch.type, meetings, term, random),
    capacity: giant ? GIANT_CAPACITY : Math.round((capacities.get(sketch.type) as (x: number) => number)(random())),
    restrictions: chooseRestrictions(course, random()),
    holdsClass: true,
  };
}

/** The same class under another department's number, with codes, units and restrictions that differ. */
export function mirrorSection(offering: Offering, held: CampusSection, code: number, termSeed: number): CampusSection {
  const seed = mix(termSeed, code);
  const mirror: CampusSection = {
    ...held,
    offering,
    seed,
    code,
    codeText: String(code).padStart(5, "0"),
    units: held.main ? offering.course.units : "0",
    geCategories: held.main ? offering.course.geCategories : [],
    restrictions: chooseRestrictions(offering.course, draw(seed, 33)),
    partner: held,
    holdsClass: false,
  };
  held.partner = mirror;
  return mirror;
}

const ONLINE_ANYTIME = [{ days: "TBA", time: undefined, places: [["ON", "LINE"]] }] as const;

export const isGiant = (course: CampusCourse): boolean =>
  course.department.code === GIANT_COURSE[0] && course.number === GIANT_COURSE[1];

/**
 * A course has its regulars; individual study rotates through the department; a discussion has an assistant beside the
 * lecturer.
 */
function chooseInstructors(
  course: CampusCourse,
  sketch: SectionSketch,
  position: number,
  staff: readonly Person[],
  random: () => number,
): readonly string[] {
  const directoryStaff = staff.filter(({ netid }) => netid !== undefined);
  const first = INDIVIDUAL_KINDS.has(course.kind)
    ? (directoryStaff[(position + course.seed) % directoryStaff.length] as Person)
    : (directoryStaff[(course.seed + Math.floor(random() * 3)) % directoryStaff.length] as Person);
  const names = new Set([first.shortName]);
  const count = sketch.main ? instructorCount(random()) : 1 + Math.floor(random() * 2.4);
  while (names.size < Math.min(count, staff.length)) names.add(pick(staff, random()).shortName);
  // An assistant's section lists the assistant first.
  const list = sketch.main ? [...names] : [...names].toReversed();
  const unnamed = random();
  if (unnamed < STAFF_SHARE * (1 - STAFF_NAMED_LATER)) list[0] = "STAFF";
  return list;
}

/** Only graduate courses are closed to undergraduates. */
function chooseRestrictions(course: CampusCourse, x: number): string {
  const text = restriction((x * 0.25 + draw(course.seed, 34)) % 1);
  if (course.digits >= 200 || !text.includes("K")) return text;
  return text.replace(/^K and | and K$/, "").replace(/^K( or \w)?$/, "A");
}
