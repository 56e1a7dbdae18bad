/** The parameters of the schedule endpoint: forms, defaults, and the rules across them (specification §1, server/RULES.md, Schedule). */
import {
  CANCELLED_COURSES,
  courseDigits,
  DAYS,
  type Day,
  FULL_COURSES,
} from "../../../pipeline/contract/vocabulary.ts";
import { type Examples, flag, formOf, listOf, oneOf, required, text, type ValuesOf } from "../../response/params.ts";
import { NO_FILTER, requiredQuarterParam, sharedFilters, withZeros } from "../shared-filters.ts";

/** Both ends included. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

type CourseNumberItem = { readonly number: string } | Range;
type UnitsItem = number | "VAR";
interface CapacityTest {
  readonly operator: ">" | "<" | "=";
  readonly count: number;
}

const CODES = /^(\d{5})(?:\s*-\s*(\d{5}))?$/;
/** `34160` or `34100-34199`; a reversed range is invalid. */
function readCodes(item: string): Range | undefined {
  const [, low, high = low] = CODES.exec(item) ?? [];
  return low === undefined || Number(low) > Number(high) ? undefined : { low: Number(low), high: Number(high) };
}

const NUMBER = /^[A-Za-z0-9]+$/;
const NUMBERS = /^([A-Za-z]*\d[A-Za-z0-9]*)\s*-\s*([A-Za-z]*\d[A-Za-z0-9]*)$/;
/** `161`, `H32` or `100-199`; ranges compare digits only: `32A-33B` is 32 to 33. */
function readCourseNumber(item: string): CourseNumberItem | undefined {
  if (NUMBER.test(item)) return { number: item };
  const [, from, to] = NUMBERS.exec(item) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [low, high] = [courseDigits(from), courseDigits(to)];
  return low > high ? undefined : { low, high };
}

const UNITS = /^(VAR|\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/;
function readUnits(item: string): UnitsItem | undefined {
  if (item === "VAR") return item;
  return UNITS.test(item) ? Number(item) : undefined;
}

const DAY_LETTERS = /^(\s*(Su|M|Tu|W|Th|F|Sa))+\s*$/;
/** Greedy; a lone T or any other letter is invalid. */
function readDays(item: string): readonly Day[] | undefined {
  const bare = item.replace(/\s+/g, "");
  if (!/^(Su|M|Tu|W|Th|F|Sa)+$/.test(bare)) return undefined;
  const found = new Set(bare.match(/Su|M|Tu|W|Th|F|Sa/g));
  return DAYS.filter((day) => found.has(day));
}

const TIME = /^(?:([01]?\d|2[0-3]):([0-5]\d)|(0?[1-9]|1[0-2]):([0-5]\d)\s*([AaPp])[Mm])$/;
/** `9:30am`, `1:00 pm`, `13:30`, `9:00` → minutes since midnight. */
function readClock(value: string): number | undefined {
  const [, hour, minute, hourOfHalf, minuteOfHalf, half] = TIME.exec(value) ?? [];
  if (hour !== undefined) return Number(hour) * 60 + Number(minute);
  if (hourOfHalf === undefined) return undefined;
  return ((Number(hourOfHalf) % 12) + (half?.toLowerCase() === "p" ? 12 : 0)) * 60 + Number(minuteOfHalf);
}

const CAPACITY = /^([<>=])\s*(\d{1,9})$/;
function readCapacity(value: string): CapacityTest | undefined {
  const [, operator, count] = CAPACITY.exec(value) ?? [];
  return operator === undefined ? undefined : { operator: operator as CapacityTest["operator"], count: Number(count) };
}

/** Any letter: the schedule system defines the codes. */
const RESTRICTION = /^[A-Z]$/;
const readRestriction = (item: string): string | undefined => (RESTRICTION.test(item) ? item : undefined);

const CLOCK = "a time such as 9:00am, 1:30 pm or 13:30";

const { year, ge, department, division, sectionType } = sharedFilters;

export const scheduleParams = {
  year: required(year.param),
  quarter: requiredQuarterParam,
  cache: flag("false asks the upstream schedule system directly; large queries may take long", true),
  cacheOnly: flag(
    "true never asks the upstream schedule system, and needs none of ge, department, sectionCodes and instructorName",
  ),
  includeCoCourses: flag("true adds every section of the matched sections' courses; needs cacheOnly=true"),
  ge: ge.param,
  department: department.param,
  sectionCodes: listOf(
    "section codes and ranges of them",
    readCodes,
    "section codes of five digits, or ranges low-high of them",
    {
      pattern: CODES.source,
      examples: ["34250", "34100-34199"],
      suggest: withZeros((codes) => readCodes(codes) !== undefined),
    },
  ),
  instructorName: text(
    "part of an instructor's last name, ignoring case and diacritics; `AMBERLEY,` is exactly that last name; `AMBERLEY, R` the start of the whole name",
    { examples: ["amberley", "AMBERLEY,"] },
  ),
  building: text("building code, ignoring case; ON is online", { examples: ["ALP", "ON"] }),
  room: text("room number; needs building", { examples: ["2300"] }),
  division: division.param,
  courseNumber: listOf(
    "course numbers and ranges of them",
    readCourseNumber,
    "course numbers, or ranges low-high of them",
    { pattern: `${NUMBER.source}|${NUMBERS.source}`, examples: ["161", "100-199"] },
  ),
  courseTitle: text("part of the course title, ignoring case", { examples: ["algorithms"] }),
  sectionType: sectionType.param,
  units: listOf("units, or VAR for variable units", readUnits, "numbers of units or VAR", {
    pattern: UNITS.source,
    examples: ["4", "VAR"],
  }),
  days: listOf("days on which the section meets, all of them", readDays, "days written with Su, M, Tu, W, Th, F, Sa", {
    pattern: DAY_LETTERS.source,
    examples: ["MWF"],
  }),
  startTime: formOf("every meeting starts at this time or later", readClock, CLOCK, {
    pattern: TIME.source,
    examples: ["9:00am", "13:30"],
  }),
  endTime: formOf("every meeting ends at this time or earlier", readClock, CLOCK, {
    pattern: TIME.source,
    examples: ["5:00 pm", "17:00"],
  }),
  maxCapacity: formOf("comparison with the maximum capacity", readCapacity, "one of >, < or = followed by a number", {
    pattern: CAPACITY.source,
    examples: [">100"],
  }),
  fullCourses: oneOf("how full the sections are", FULL_COURSES, {
    noFilter: NO_FILTER,
    aliases: { Overenrolled: "OverEnrolled" },
  }),
  excludeRestrictionCodes: listOf(
    "letter codes of enrollment restrictions: sections with any of them are left out",
    readRestriction,
    "capital letters, such as A,L",
    { pattern: RESTRICTION.source, examples: ["A", "L"] },
  ),
  cancelledCourses: oneOf("what happens to cancelled sections", CANCELLED_COURSES, {
    default: "Exclude",
    aliases: { ANY: "Include", ALL: "Include" },
  }),
};

/** See `Examples`. */
export const SCHEDULE_EXAMPLES = {
  sectionCodes: [
    ["34250", [{ low: 34250, high: 34250 }]],
    [
      "34100-34199, 05000",
      [
        { low: 34100, high: 34199 },
        { low: 5000, high: 5000 },
      ],
    ],
    ["5000", undefined],
    ["34199-34100", undefined],
  ],
  courseNumber: [
    ["161", [{ number: "161" }]],
    ["H32,100-199", [{ number: "H32" }, { low: 100, high: 199 }]],
    ["32A-33B", [{ low: 32, high: 33 }]],
    ["199-100", undefined],
    ["16*", undefined],
  ],
  units: [
    ["4", [4]],
    ["4.0", [4]],
    [".5,VAR", [0.5, "VAR"]],
    ["four", undefined],
  ],
  days: [
    ["MWF", [["M", "W", "F"]]],
    ["TuTh", [["Tu", "Th"]]],
    ["SaSu", [["Su", "Sa"]]],
    ["T", undefined],
    ["mwf", undefined],
  ],
  startTime: [
    ["9:00am", 540],
    ["12:30 pm", 750],
    ["13:30", 810],
    ["9:00", 540],
    ["25:00", undefined],
    ["9am", undefined],
  ],
  maxCapacity: [
    [">100", { operator: ">", count: 100 }],
    ["= 24", { operator: "=", count: 24 }],
    ["100", undefined],
  ],
} satisfies Partial<Record<keyof typeof scheduleParams, Examples>>;

export type ScheduleValues = ValuesOf<typeof scheduleParams>;

const isNoFilter = (text: string | undefined): boolean => NO_FILTER.some((word) => word === text?.trim());

/** Rules 1 to 3 of the specification, and that cacheOnly excludes cache=false. */
export function checkSchedule(values: ScheduleValues, refused: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const isGiven = (name: keyof ScheduleValues) => values[name] !== undefined || refused.has(name);
  if (values.cacheOnly && values.cache === false) problems.push("cacheOnly cannot be true if cache is false");
  if (values.includeCoCourses && !values.cacheOnly && !refused.has("cacheOnly"))
    problems.push("If includeCoCourses is true, cacheOnly must be true");
  if (isGiven("room") && !isGiven("building")) problems.push('If "room" is provided, "building" must also be provided');
  const starred = (["ge", "department", "sectionCodes", "instructorName"] as const).filter(isGiven);
  // ANY or ALL may be part of a name, but alone it does not restrict the query.
  const isUnrestricted = starred.every((name) => name === "instructorName" && isNoFilter(values.instructorName));
  if (!values.cacheOnly && !refused.has("cacheOnly") && isUnrestricted) {
    problems.push(
      'At least one of "ge", "department", "sectionCodes" or "instructorName" must be provided, and not be ANY, unless cacheOnly is true',
    );
  }
  return problems;
}
