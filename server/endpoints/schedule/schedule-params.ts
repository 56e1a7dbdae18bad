/** Kinds of parameters that only the schedule has (specification §1, server/RULES.md, Schedule). */
import { courseDigits, DAYS, type Day } from "../../../pipeline/contract/vocabulary.ts";
import { type Examples, formOf, listOf, type Param } from "../../response/params.ts";
import { withZeros } from "../shared-filters.ts";

/** A range; both ends are inclusive. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const CODES = /^(\d{5})(?:\s*-\s*(\d{5}))?$/;
/** Parses `34160` or `34100-34199`; a reversed range is invalid. */
function readCodes(item: string): Range | undefined {
  const [, low, high = low] = CODES.exec(item) ?? [];
  return low === undefined || Number(low) > Number(high) ? undefined : { low: Number(low), high: Number(high) };
}

export const codesParam = listOf(
  "section codes and ranges of them",
  readCodes,
  "section codes of five digits, or ranges low-high of them",
  {
    pattern: CODES.source,
    examples: ["34250", "34100-34199"],
    suggest: withZeros((codes) => readCodes(codes) !== undefined),
  },
);

const NUMBER = /^[A-Za-z0-9]+$/;
const NUMBERS = /^([A-Za-z]*\d[A-Za-z0-9]*)\s*-\s*([A-Za-z]*\d[A-Za-z0-9]*)$/;
/** Parses `161`, `H32` or `100-199`; ranges compare digits only: `32A-33B` is 32 to 33. */
function readCourseNumber(item: string): { readonly number: string } | Range | undefined {
  if (NUMBER.test(item)) return { number: item };
  const [, from, to] = NUMBERS.exec(item) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [low, high] = [courseDigits(from), courseDigits(to)];
  return low > high ? undefined : { low, high };
}

export const courseNumbersParam = listOf(
  "course numbers and ranges of them",
  readCourseNumber,
  "course numbers, or ranges low-high of them",
  { pattern: `${NUMBER.source}|${NUMBERS.source}`, examples: ["161", "100-199"] },
);

const UNITS = /^(VAR|\d{1,6}(\.\d{1,6})?|\.\d{1,6})$/;
export const unitsParam = listOf(
  "units, or VAR for variable units",
  (item) => (item === "VAR" ? item : UNITS.test(item) ? Number(item) : undefined),
  "numbers of units or VAR",
  { pattern: UNITS.source, examples: ["4", "VAR"] },
);

const DAY_LETTERS = /^(\s*(Su|M|Tu|W|Th|F|Sa))+\s*$/;
/** Parses days greedily; a lone T or any other letter is invalid. */
function readDays(item: string): readonly Day[] | undefined {
  if (!DAY_LETTERS.test(item)) return undefined;
  const days = new Set(item.match(/Su|M|Tu|W|Th|F|Sa/g));
  return DAYS.filter((day) => days.has(day));
}

export const daysParam = listOf(
  "days on which the section meets, all of them",
  readDays,
  "days written with Su, M, Tu, W, Th, F, Sa",
  { pattern: DAY_LETTERS.source, examples: ["MWF"] },
);

const TIME = /^(?:([01]?\d|2[0-3]):([0-5]\d)|(0?[1-9]|1[0-2]):([0-5]\d)\s*([AaPp])[Mm])$/;
/** Parses `9:30am`, `1:00 pm`, `13:30` or `9:00` to minutes since midnight. */
function readClock(value: string): number | undefined {
  const [, hour, minute, hourOfHalf, minuteOfHalf, half] = TIME.exec(value) ?? [];
  if (hour !== undefined) return Number(hour) * 60 + Number(minute);
  if (hourOfHalf === undefined) return undefined;
  return ((Number(hourOfHalf) % 12) + (half?.toLowerCase() === "p" ? 12 : 0)) * 60 + Number(minuteOfHalf);
}

export const clockParam = (about: string, examples: readonly string[]): Param<number> =>
  formOf(about, readClock, "a time such as 9:00am, 1:30 pm or 13:30", { pattern: TIME.source, examples });

const CAPACITY = /^([<>=])\s*(\d{1,9})$/;
export const capacityParam = formOf(
  "comparison with the maximum capacity",
  (value) => {
    const [, operator, count] = CAPACITY.exec(value) ?? [];
    return operator === undefined ? undefined : { operator: operator as ">" | "<" | "=", count: Number(count) };
  },
  "one of >, < or = followed by a number",
  { pattern: CAPACITY.source, examples: [">100"] },
);

/** Matches any letter, because the schedule system defines the codes. */
const RESTRICTION = /^[A-Z]$/;
export const restrictionsParam = listOf(
  "letter codes of enrollment restrictions: sections with any of them are left out",
  (item) => (RESTRICTION.test(item) ? item : undefined),
  "capital letters, such as A,L",
  { pattern: RESTRICTION.source, examples: ["A", "L"] },
);

/** Examples by parameter; see `Examples`. */
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
} satisfies Record<string, Examples>;
