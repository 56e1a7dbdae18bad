/**
 * Converts this service's parameters to the search form's fields. The caller filters the result, so the search must
 * return a superset: a filter whose meaning on the form is narrower or unknown is widened or left out.
 */
import { nameKey, UNNAMED, withoutDiacritics } from "../contract/name-key.ts";
import { departmentKey, type Day, type Division, type GeCategory, type Term } from "../contract/vocabulary.ts";
import type { CodeRange, ScheduleFields } from "./schedule.ts";

/**
 * The schedule's parsed filters (pipeline/RULES.md, Schedule). At least one of ge, department, sectionCodes,
 * instructorName is present.
 */
export interface LiveQuery {
  term: Term;
  ge?: GeCategory;
  /** The code in any case, with or without blanks. */
  department?: string;
  sectionCodes?: readonly CodeRange[];
  /** `smi`, `SMITH,` or `SMITH, J` */
  instructorName?: string;
  /** Known shortened names with diacritics: the form matches letters exactly. */
  accentedNames?: readonly string[];
  building?: string;
  room?: string;
  division?: Division;
  /** `161`, `100-199` */
  courseNumber?: readonly string[];
  courseTitle?: string;
  sectionType?: string;
  /** `4`, `.5`, `VAR` */
  units?: readonly string[];
  days?: readonly Day[];
  /** Minutes since midnight. */
  startTime?: number;
  endTime?: number;
  maxCapacity?: { operator: ">" | "<" | "="; count: number };
  /** Never sent, because it is unknown how the form defines the statuses. */
  fullCourses?: string;
  /** Never sent: cancelled sections are always requested and recognized by their marker. */
  cancelledCourses?: string;
}

/** The form's limit is unknown; other clients send at most five. */
const CODES_PER_REQUEST = 5;

/** Codes that are at most this far apart are requested as a range, which saves requests. */
const MAX_GAP = 20;

/** The widest joined range: it cannot hold more sections than the upstream's limit. */
const MAX_RANGE = 900;

const DIVISION_VALUES = { LowerDiv: "0xx", UpperDiv: "1xx", Graduate: "2xx" } as const;

/**
 * Returns the searches that together find every matching section; none when nothing can match.
 * @param listed department codes as the form spells them; an unlisted code is sent in capitals
 */
export function toScheduleFields(query: LiveQuery, listed: readonly string[]): ScheduleFields[] {
  const fields: ScheduleFields = { term: query.term };
  if (query.ge) fields.ge = query.ge;
  const department = toDepartment(query.department, listed);
  if (department !== undefined) fields.department = department;
  if (query.division) fields.division = DIVISION_VALUES[query.division];
  const courseNumber = toCourseNumbers(query.courseNumber ?? []);
  if (courseNumber !== undefined) fields.courseNumber = courseNumber;
  if (query.courseTitle) fields.title = query.courseTitle.trim();
  if (query.sectionType) fields.type = query.sectionType.toUpperCase();
  const day = toDay(query.days ?? []);
  if (day !== undefined) fields.days = day;
  const start = toHourBefore(query.startTime);
  if (start !== undefined) fields.startTime = start;
  const end = toHourAfter(query.endTime);
  if (end !== undefined) fields.endTime = end;
  if (query.maxCapacity) fields.maxCapacity = `${query.maxCapacity.operator}${query.maxCapacity.count}`;
  // `TBA` is printed for meetings without a building.
  if (query.building && query.building.toUpperCase() !== "TBA") {
    fields.building = query.building.trim().toUpperCase();
    if (query.room) fields.room = query.room.trim().toUpperCase();
  }
  const codes = query.sectionCodes ?? [];
  if (query.instructorName !== undefined && toInstructor(query.instructorName) === "") return [];
  if (codes.length > 0) return chunks(joinNear(codes), CODES_PER_REQUEST).map((part) => ({ ...fields, codes: part }));
  // If another field bounds the search, leave the name to the caller's filter, which ignores diacritics.
  const isBounded = query.instructorName === undefined || fields.department !== undefined || fields.ge !== undefined;
  const named = isBounded ? [fields] : toInstructors(query).map((instructor) => ({ ...fields, instructor }));
  const units = toUnits(query.units ?? []);
  return units.length > 0 ? named.flatMap((part) => units.map((value) => ({ ...part, units: value }))) : named;
}

/** The given name without diacritics, and the known names that match it but contain neither spelling. */
function toInstructors({ instructorName = "", accentedNames = [] }: LiveQuery): string[] {
  const wanted = toInstructor(instructorName).normalize("NFC");
  const spellings = new Set([wanted, withoutDiacritics(wanted)]);
  const isFound = (lastName: string) =>
    [...spellings].some((spelling) => `${lastName},`.toUpperCase().includes(spelling.toUpperCase()));
  const key = nameKey(wanted);
  const others = accentedNames
    .map((name) => name.split(",", 1)[0] ?? "")
    .filter((lastName) => {
      const lastNameKey = nameKey(lastName);
      return (wanted.endsWith(",") ? `${lastNameKey},` === key : lastNameKey.includes(key)) && !isFound(lastName);
    })
    .map((lastName) => `${lastName},`);
  return [...new Set([...spellings, ...others])];
}

function toDepartment(text: string | undefined, listed: readonly string[]): string | undefined {
  const key = departmentKey(text ?? "");
  if (key === "" || key === "ALL" || key === "ANY") return undefined;
  return listed.find((code) => departmentKey(code) === key) ?? text?.trim().toUpperCase();
}

/** The form takes a part of the last name, or all of it with a comma; the caller filters by the initial. */
function toInstructor(text: string): string {
  const comma = text.indexOf(",");
  if (comma < 0) return text.trim();
  const lastName = text.slice(0, comma).trim();
  // The placeholder has no comma, so a search for `STAFF,` might miss it.
  if (lastName === "" || lastName.toUpperCase() === UNNAMED) return lastName;
  return `${lastName},`;
}

/** It is unknown how the form compares the ends of a range, so ranges are left out. */
function toCourseNumbers(numbers: readonly string[]): string | undefined {
  if (numbers.length === 0 || numbers.some((number) => !/^\w+$/.test(number))) return undefined;
  return numbers.map((number) => number.toUpperCase()).join(",");
}

/** The form takes a single value, with at most one decimal. */
function toUnits(units: readonly string[]): string[] {
  const values = units.map((text) => (/^var$/i.test(text) ? "VAR" : String(Number(text))));
  return values.every((value) => /^(?:VAR|\d+(?:\.\d)?)$/.test(value)) ? [...new Set(values)] : [];
}

/**
 * Sends a single day: it is unknown whether several must occur in one meeting or in the section. Avoids Tuesday if
 * possible, which has two spellings.
 */
function toDay(days: readonly Day[]): string | undefined {
  return days.find((day) => day !== "Tu") ?? days[0];
}

/** "Starting time after", in full hours from 1:00am: the last hour before every matching start. */
function toHourBefore(minutes: number | undefined): string | undefined {
  return minutes === undefined ? undefined : toFullHour(Math.ceil(minutes / 60) - 1);
}

/** "Ending time before": the first hour after every matching end. */
function toHourAfter(minutes: number | undefined): string | undefined {
  return minutes === undefined ? undefined : toFullHour(Math.floor(minutes / 60) + 1);
}

function toFullHour(hour: number): string | undefined {
  if (hour < 1 || hour > 23) return undefined;
  return `${hour % 12 || 12}:00${hour < 12 ? "am" : "pm"}`;
}

function joinNear(ranges: readonly CodeRange[]): CodeRange[] {
  const joined: CodeRange[] = [];
  for (const { low, high } of [...ranges].sort((a, b) => a.low - b.low || a.high - b.high)) {
    const last = joined.at(-1);
    if (last && high <= last.high) continue;
    if (last && low - last.high <= MAX_GAP && high - last.low < MAX_RANGE) last.high = high;
    else joined.push({ low, high });
  }
  return joined;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
