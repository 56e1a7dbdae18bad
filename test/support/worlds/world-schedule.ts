/** A term's section rows as the sample campus's schedule takes them: the service's words back into the upstream's. */
import type { CampusCourse } from "../../../pipeline/campus/courses/courses.ts";
import { monthAndDate, toDay, weekdayOf } from "../../../pipeline/campus/days.ts";
import type { CampusDepartment } from "../../../pipeline/campus/courses/departments.ts";
import { draw, hashText } from "../../../pipeline/campus/random.ts";
import type { SectionState, SectionStates } from "../../../pipeline/campus/sections/section-state.ts";
import type {
  CampusMeeting,
  CampusSection,
  Offering,
  Place,
  ScheduledFinal,
} from "../../../pipeline/campus/sections/section.ts";
import type { CampusTerm } from "../../../pipeline/campus/sections/term-calendar.ts";
import type { TermSections } from "../../../pipeline/campus/sections/term.ts";
import type { Meeting, Time } from "../../../pipeline/contract/rows/section.ts";
import { courseDigits, termName, WEEKDAYS } from "../../../pipeline/contract/vocabulary.ts";
import { isOf, type World, type WorldCourse, type WorldSection } from "./world.ts";

export function toTermSections(
  world: World,
  term: CampusTerm,
  named: ReadonlyMap<string, CampusDepartment>,
): TermSections {
  const states = new Map<CampusSection, SectionState>();
  const offerings = new Map<string, Offering>();
  for (const row of world.sections.filter(isOf(term))) {
    const key = JSON.stringify([row.deptCode, row.courseNumber, row.courseTitle]);
    const offering = offerings.get(key) ?? toOffering(row, named);
    offerings.set(key, offering);
    const section = toSection(row, offering);
    offering.sections.push(section);
    states.set(section, toState(row, section, Number(term.year)));
  }
  const sections = [...offerings.values()].sort(inSchedule).flatMap((offering) => offering.sections);
  for (const offering of offerings.values()) offering.sections.sort((a, b) => a.code - b.code);
  const [byDepartment, byGe] = [new Map<string, CampusSection[]>(), new Map<string, CampusSection[]>()];
  for (const section of sections) {
    addTo(byDepartment, section.offering.department.code, section);
    for (const category of section.geCategories) addTo(byGe, category, section);
  }
  const known: SectionStates = {
    isListed: () => true,
    isCancelled: (section) => states.get(section)?.cancelled === true,
    stateOn: (section) => states.get(section) as SectionState,
  };
  return { term, sections, byDepartment, byGe, states: known };
}

function addTo(lists: Map<string, CampusSection[]>, key: string, section: CampusSection): void {
  const list = lists.get(key);
  if (list) list.push(section);
  else lists.set(key, [section]);
}

function toOffering(row: WorldSection, named: ReadonlyMap<string, CampusDepartment>): Offering {
  const department = named.get(row.deptCode);
  if (!department) throw new Error(`the world has no department ${row.deptCode}`);
  return {
    department,
    course: toCourse(department, row.courseNumber),
    title: row.courseTitle,
    comment: row.courseComment,
    prerequisiteLink: row.prerequisiteLink,
    sections: [],
  };
}

/** School, department, course. */
function inSchedule(a: Offering, b: Offering): number {
  const [first, second] = [a.department, b.department];
  if (first !== second) return Number(first.schoolCode) - Number(second.schoolCode) || first.index - second.index;
  const byNumber = a.course.digits - b.course.digits || compareText(a.course.number, b.course.number);
  return byNumber || compareText(a.title, b.title);
}
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function toSection(row: WorldSection, offering: Offering): CampusSection {
  const seed = hashText(`${termName(row)} ${row.sectionCode}`);
  return {
    offering,
    seed,
    planSeed: seed,
    code: Number(row.sectionCode),
    codeText: row.sectionCode,
    type: row.sectionType,
    num: row.sectionNum,
    units: row.units,
    main: row.geCategories.length > 0,
    geCategories: row.geCategories,
    instructors: row.instructors,
    substitute: undefined,
    meetings: row.meetings.map((meeting, i) => toMeeting(meeting, draw(seed, i))),
    final: undefined,
    capacity: Number(row.maxCapacity),
    restrictions: row.restrictions,
    holdsClass: true,
  };
}

/** A fifth of the sections has no status where the seats imply it. */
const STATUS_MISSING_SHARE = 0.2;

function toState(row: WorldSection, section: CampusSection, year: number): SectionState {
  const [capacity, enrolled] = [Number(row.maxCapacity), Number(row.totalEnrolled)];
  const implied = enrolled >= capacity ? "FULL" : "OPEN";
  return {
    cancelled: row.cancelled,
    instructors: row.instructors,
    capacity,
    enrolled,
    ownEnrolled: row.sectionEnrolled === "" ? undefined : Number(row.sectionEnrolled),
    requested: Number(row.numRequested),
    waitlist: row.numOnWaitlist,
    waitlistCapacity: row.numWaitlistCap,
    newOnly: row.numNewOnlyReserved,
    status: row.status,
    statusMissing: row.status === implied && draw(section.seed, 51) < STATUS_MISSING_SHARE,
    final: toFinal(row, year),
    comment: row.sectionComment,
  };
}

/** Unknown days are said in both ways. */
function toMeeting({ timeIsTBA, bldg, days, startTime, endTime }: Meeting, x: number): CampusMeeting {
  const places = bldg.length > 0 ? bldg.map(toPlace) : ([["", ""]] as const);
  if (timeIsTBA || !startTime || !endTime) return { days: x < 0.5 ? "TBA" : "", time: undefined, places };
  const time = { start: toMinutes(startTime), end: toMinutes(endTime) };
  return { days: days === "" || days === null ? "TBA" : days, time, places };
}

const toMinutes = ({ hour, minute }: Time): number => hour * 60 + minute;

function toPlace(label: string): Place {
  const [building = "", ...room] = label.split(" ");
  return [building, room.join(" ")];
}

function toFinal({ finalExam, meetings }: WorldSection, year: number): ScheduledFinal | "TBA" | undefined {
  const { examStatus, dayOfWeek, month, day, startTime, endTime, bldg } = finalExam;
  if (examStatus === "NO_FINAL") return undefined;
  if (month === null || day === null || !startTime || !endTime) return "TBA";
  const own = meetings[0]?.bldg[0];
  const elsewhere = bldg !== null && !(bldg.length <= 1 && bldg[0] === own);
  return {
    day: dayNamed(dayOfWeek, year, month, day),
    start: toMinutes(startTime),
    end: toMinutes(endTime),
    places: elsewhere ? bldg.map(toPlace) : [],
  };
}

/**
 * Only month and date are printed, with the weekday: a world that was moved to other years still prints its original
 * weekday.
 */
function dayNamed(name: string | null, year: number, month: number, date: number): number {
  for (let near = year; near < year + 40; near++) {
    const day = toDay(near, month + 1, date);
    if (WEEKDAYS[weekdayOf(day)] === name && monthAndDate(day).date === date) return day;
  }
  throw new RangeError(`${month + 1}/${date} is never a ${name}`);
}

/** Only the generator reads these. */
const UNSHOWN_OF_COURSE = { kind: "lecture", offered: true, known: false, topics: false } as const;

export function toCourse(department: CampusDepartment, number: string, row?: WorldCourse): CampusCourse {
  return {
    department,
    seed: hashText(`${department.code} ${number}`),
    number,
    digits: courseDigits(number),
    title: row?.title ?? "",
    shortTitle: "",
    units: "",
    geText: row?.geText ?? "",
    geCategories: [],
    prerequisite: row?.prerequisiteTree ?? undefined,
    catalogued: row !== undefined,
    ...UNSHOWN_OF_COURSE,
  };
}
