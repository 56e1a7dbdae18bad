/** The filters of the schedule endpoint (specification §1, server/RULES.md, Schedule). */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { CANCELLED_COURSES, DAYS, FULL_COURSES } from "../../../pipeline/contract/vocabulary.ts";
import { anyOf, type Fragment, sql } from "../../duckdb/sql.ts";
import { flag, oneOf, required, text } from "../../response/params.ts";
import type { Columns } from "../../snapshot/loading/loading.ts";
import type { scheduleTable } from "../../snapshot/tables/schedule-term.ts";
import { textLine } from "../../snapshot/tables/expressions.ts";
import { instructorIdsFilter } from "../instructor-ids.ts";
import { counted, either, filterOver, type FilterValues, type Words } from "../filters.ts";
import { NO_FILTER, oneDepartment, requiredQuarterParam, sharedFilters } from "../shared-filters.ts";
import {
  capacityParam,
  clockParam,
  codesParam,
  courseNumbersParam,
  daysParam,
  type Range,
  restrictionsParam,
  unitsParam,
} from "./schedule-params.ts";

/** Tests section codes. Single codes are one list parameter: 40 comparisons would cost three times as much. */
function codesTest(ranges: readonly Range[], sectionCode: Fragment): Fragment {
  const singles = ranges.filter(({ low, high }) => low === high).map(({ low }) => String(low));
  const wide = ranges.filter(({ low, high }) => low < high);
  return anyOf([
    ...(singles.length > 0 ? [sql`${sectionCode} IN (SELECT unnest(${singles})::INTEGER)`] : []),
    ...wide.map(({ low, high }) => sql`${sectionCode} BETWEEN ${low} AND ${high}`),
  ]);
}

/**
 * Tests instructor names: `smi` matches a part of the last name, `smith,` all of it, `smith, j` the start of the full
 * name.
 */
export function instructorTest(instructorName: string, { names, lastNames }: Columns<"names" | "lastNames">): Fragment {
  const value = nameKey(instructorName).trim();
  const comma = value.indexOf(",");
  if (comma < 0) return sql`contains(${lastNames}, ${textLine(value).slice(1, -1)})`;
  return comma === value.length - 1
    ? sql`contains(${lastNames}, ${textLine(value.slice(0, comma))})`
    : sql`contains(${names}, ${textLine(value).slice(0, -1)})`;
}

type Column = keyof typeof scheduleTable.columns;
type FullCourses = (typeof FULL_COURSES)[number];

const isFull = (choice: FullCourses, { status, enrolled, capacity }: Columns<Column>): Fragment =>
  ({
    SkipFull: sql`${status} <> 'FULL' AND ${status} <> 'Waitl'`,
    SkipFullWaitlist: sql`${status} <> 'FULL'`,
    FullOnly: sql`${status} = 'FULL' OR ${status} = 'Waitl'`,
    OverEnrolled: sql`${enrolled} > ${capacity}`,
  })[choice];

const FULL_WORDS: Readonly<Record<FullCourses, string>> = {
  SkipFull: "open",
  SkipFullWaitlist: "open or waitlisted",
  FullOnly: "full or waitlisted",
  OverEnrolled: "over-enrolled",
};

type CancelledCourses = (typeof CANCELLED_COURSES)[number];

/** Tests for cancelled sections, which are excluded by default. */
export function cancelledTest(choice: CancelledCourses | undefined, { cancelled }: Columns<"cancelled">): Fragment {
  if (choice === "Include") return sql`TRUE`;
  return choice === "Only" ? cancelled : sql`NOT ${cancelled}`;
}

const CANCELLED_WORDS: Readonly<Record<CancelledCourses, Words>> = {
  Exclude: "",
  Include: "including cancelled ones",
  Only: { first: "cancelled" },
};

const CAPACITY_WORDS = { ">": "more than ", "<": "fewer than ", "=": "" } as const;
const rangeWords = ({ low, high }: Range, digits = 0): string =>
  [...new Set([low, high])].map((end) => String(end).padStart(digits, "0")).join("-");
/** Formats a time: `9:05 am`. */
const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, "0")} ${minutes < 720 ? "am" : "pm"}`;
const nothing = (): string => "";

const filter = filterOver<Column>();

export const scheduleFilters = {
  // These two select the loaded table.
  year: filter(required(sharedFilters.year.param), null, sharedFilters.year.words),
  quarter: filter(requiredQuarterParam, null, sharedFilters.quarter.words),
  cache: filter(
    flag("false asks the upstream schedule system directly; large queries may take long", true),
    null,
    nothing,
  ),
  cacheOnly: filter(
    flag(
      "true never asks the upstream schedule system, and needs none of ge, department, sectionCodes and instructorName",
    ),
    null,
    nothing,
  ),
  includeCoCourses: filter(
    flag("true adds every section of the matched sections' courses; needs cacheOnly=true"),
    null,
    (all) => (all ? { last: "with all sections of their courses" } : ""),
  ),
  ge: sharedFilters.ge,
  department: oneDepartment,
  sectionCodes: filterOver<"sectionCode">()(
    codesParam,
    (ranges, c) => codesTest(ranges, c.sectionCode),
    (ranges) => `with section code ${either(ranges.map((range) => rangeWords(range, 5)))}`,
  ),
  instructorName: filterOver<"names" | "lastNames">()(
    text(
      "part of an instructor's last name, ignoring case and diacritics; `AMBERLEY,` is exactly that last name; `AMBERLEY, R` the start of the whole name",
      { withCommas: true, examples: ["amberley", "AMBERLEY,"] },
    ),
    instructorTest,
    (instructorName) => `taught by ${instructorName.trim().replace(/\s*,$/, "")}`,
  ),
  netid: sharedFilters.netid,
  instructorIds: instructorIdsFilter,
  building: filter(
    text("building code, ignoring case; ON is online", { examples: ["ALP", "ON"] }),
    (code, c, { room }) =>
      typeof room === "string"
        ? sql`list_contains(${c.rooms}, upper(${`${code.trim()} ${room.trim()}`}))`
        : sql`list_contains(${c.buildings}, upper(${code.trim()}))`,
    (code, { room }) =>
      code.trim().toUpperCase() === "ON"
        ? "meeting online"
        : `meeting in ${`${code.trim().toUpperCase()} ${typeof room === "string" ? room.trim() : ""}`.trim()}`,
  ),
  // The building filter includes the room.
  room: filter(text("room number; needs building", { examples: ["2300"] }), null, nothing),
  division: sharedFilters.division,
  courseNumber: filter(
    courseNumbersParam,
    (items, c) =>
      anyOf(
        items.map((item) =>
          "number" in item
            ? sql`${c.courseNumberKey} = lower(${item.number})`
            : sql`${c.courseNumeric} BETWEEN ${item.low} AND ${item.high}`,
        ),
      ),
    (items) => `with course number ${either(items.map((item) => ("number" in item ? item.number : rangeWords(item))))}`,
  ),
  courseTitle: filter(
    text("part of the course title, ignoring case", { withCommas: true, examples: ["algorithms"] }),
    (part, c) => sql`contains(${c.titleKey}, lower(${part}))`,
    (part) => `with "${part}" in the title`,
  ),
  sectionType: sharedFilters.sectionType,
  units: filter(
    unitsParam,
    (items, c) =>
      anyOf(items.map((item) => (item === "VAR" ? c.variableUnits : sql`${c.fixedUnits} = ${item}::DOUBLE`))),
    (items) =>
      `of ${either(items.map((item) => (item === "VAR" ? "variable" : String(item))))} ${items.length === 1 && items[0] === 1 ? "unit" : "units"}`,
  ),
  days: filter(
    daysParam,
    (sets, c) => sql`list_has_all(${c.days}, ${[...new Set(sets.flat())]})`,
    (sets) => `on ${DAYS.filter((day) => sets.flat().includes(day)).join("")}`,
  ),
  startTime: filter(
    clockParam("every meeting starts at this time or later", ["9:00am", "13:30"]),
    (minutes, c) => sql`${c.earliest} >= ${minutes}`,
    (minutes, { endTime }) =>
      endTime === undefined ? `after ${clock(minutes)}` : `between ${clock(minutes)} and ${clock(Number(endTime))}`,
  ),
  endTime: filter(
    clockParam("every meeting ends at this time or earlier", ["5:00 pm", "17:00"]),
    (minutes, c) => sql`${c.latest} <= ${minutes}`,
    (minutes, { startTime }) => (startTime === undefined ? `before ${clock(minutes)}` : ""),
  ),
  maxCapacity: filter(
    capacityParam,
    ({ operator, count }, c) =>
      operator === ">"
        ? sql`${c.capacity} > ${count}`
        : operator === "<"
          ? sql`${c.capacity} < ${count}`
          : sql`${c.capacity} = ${count}`,
    ({ operator, count }) => `with ${CAPACITY_WORDS[operator]}${counted(count, "seat")}`,
  ),
  fullCourses: filter(
    oneOf("how full the sections are", FULL_COURSES, {
      noFilter: NO_FILTER,
      aliases: { Overenrolled: "OverEnrolled" },
    }),
    isFull,
    (choice) => ({ first: FULL_WORDS[choice] }),
  ),
  excludeRestrictionCodes: filter(
    restrictionsParam,
    (letters, c) => sql`NOT list_has_any(${c.restrictionCodes}, ${letters})`,
    (letters) => `without restriction ${either(letters)}`,
  ),
  // The condition has a default and applies to co-courses too: see cancelledTest.
  cancelledCourses: filter(
    oneOf("what happens to cancelled sections", CANCELLED_COURSES, {
      default: "Exclude",
      aliases: { ANY: "Include", ALL: "Include" },
    }),
    null,
    (choice) => CANCELLED_WORDS[choice],
  ),
};
export type ScheduleValues = FilterValues<typeof scheduleFilters>;
