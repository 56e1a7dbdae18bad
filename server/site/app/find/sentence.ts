/** A query in words: the heading and the title of `/find`, and what the search field suggests. */
import type { GeCategory, SECTION_TYPES } from "../../../../pipeline/contract/vocabulary.ts";
import { GE_WORDS } from "../data/ge-words.ts";
import { SECTION_TYPE_WORDS } from "../data/glossary.ts";
import { spokenName } from "../format.ts";
import type { Filters } from "./filters.ts";

export const DIVISION_WORDS: Readonly<Record<string, string>> = {
  LowerDiv: "lower-division",
  UpperDiv: "upper-division",
  Graduate: "graduate",
};

export const SEAT_WORDS: Readonly<Record<string, string>> = {
  SkipFull: "open",
  SkipFullWaitlist: "open or waitlisted",
  FullOnly: "full or waitlisted",
  OverEnrolled: "over-enrolled",
};

const SIZES: Readonly<Record<string, string>> = { ">": "more than ", "<": "fewer than ", "=": "" };
/** `>100` → `more than 100 seats`. */
export function sizeWords(maxCapacity: string): string {
  const [, operator = "", number = ""] = /^([<>=])\s*(\d+)$/.exec(maxCapacity) ?? [];
  return `${SIZES[operator] ?? ""}${number} seats`;
}

const DAYS: Readonly<Record<string, string>> = {
  Su: "Sunday",
  M: "Monday",
  Tu: "Tuesday",
  W: "Wednesday",
  Th: "Thursday",
  F: "Friday",
  Sa: "Saturday",
};
const LIST = new Intl.ListFormat("en", { type: "conjunction" });
/** `TuTh` → `Tuesday and Thursday`. */
export const daysInWords = (days: string): string =>
  LIST.format((days.match(/Su|M|Tu|W|Th|F|Sa/g) ?? [days]).map((day) => DAYS[day] ?? `“${day}”`));

/** `14:30` → `2:30 pm`, `12:00` → `noon`; another form of time stays as it is. */
export function clockWords(time: string): string {
  if (time === "12:00") return "noon";
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined) return time;
  return `${Number(hour) % 12 || 12}${minute === "00" ? "" : `:${minute}`} ${Number(hour) < 12 ? "am" : "pm"}`;
}

function timesInWords({ startTime, endTime }: Filters): string {
  if (startTime && endTime) return `between ${clockWords(startTime)} and ${clockWords(endTime)}`;
  return startTime ? `after ${clockWords(startTime)}` : endTime ? `before ${clockWords(endTime)}` : "";
}

function placeInWords({ building, room = "" }: Filters, isOne: boolean): string {
  if (!building) return "";
  return building.toUpperCase() === "ON"
    ? `that ${isOne ? "meets" : "meet"} online`
    : `in ${`${building.toUpperCase()} ${room}`.trim()}`;
}

function unitsInWords(units: string): string {
  return units === "VAR" ? "variable-unit" : `${units.replaceAll(",", "- or ")}-unit`;
}

/** `open GE-IV sections on Tuesday and Thursday after noon`. */
export function queryInWords(filters: Filters, isOne = false): string {
  const { ge, department, courseNumber, courseTitle, instructorName, division, sectionType, units } = filters;
  const {
    days,
    fullCourses,
    maxCapacity,
    sectionCodes,
    excludeRestrictionCodes,
    noRestriction,
    fitsPlan,
    prerequisites,
  } = filters;
  const type = sectionType && SECTION_TYPE_WORDS[sectionType as (typeof SECTION_TYPES)[number]]?.[0];
  return [
    fullCourses && (SEAT_WORDS[fullCourses] ?? fullCourses),
    division && (DIVISION_WORDS[division] ?? division),
    units && unitsInWords(units),
    ge && (GE_WORDS[ge as GeCategory]?.[0] ?? ge),
    department,
    courseNumber,
    type,
    isOne ? "section" : "sections",
    courseTitle && `with “${courseTitle}” in the title`,
    instructorName && `taught by ${spokenName(instructorName.toUpperCase())}`,
    sectionCodes && `with code ${sectionCodes}`,
    placeInWords(filters, isOne),
    days && `on ${daysInWords(days)}`,
    timesInWords(filters),
    maxCapacity && `with ${sizeWords(maxCapacity)}`,
    noRestriction && "without restrictions",
    excludeRestrictionCodes && `without restriction ${excludeRestrictionCodes}`,
    fitsPlan && `that ${isOne ? "fits" : "fit"} your plan`,
    prerequisites && "with prerequisites met",
  ]
    .filter(Boolean)
    .join(" ");
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
