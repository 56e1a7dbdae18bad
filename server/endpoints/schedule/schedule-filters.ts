/** One predicate per filter of the schedule endpoint (server/RULES.md, Schedule). */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../../pipeline/contract/vocabulary.ts";
import { anyOf, type Fragment, sql, textList } from "../../duckdb/sql.ts";
import type { Columns } from "../../snapshot/loading/loading.ts";
import type { scheduleTable } from "../../snapshot/tables/schedule-term.ts";
import { textLine } from "../../snapshot/tables/expressions.ts";
import { filterOver } from "../filters.ts";
import { type Range, scheduleParams, type ScheduleValues } from "./schedule-params.ts";

/** Single codes are one list parameter: 40 comparisons would cost three times as much. */
export function codesTest(ranges: readonly Range[], sectionCode: Fragment): Fragment {
  const singles = ranges.filter(({ low, high }) => low === high).map(({ low }) => String(low));
  const wide = ranges.filter(({ low, high }) => low < high);
  return anyOf([
    ...(singles.length > 0 ? [sql`${sectionCode} IN (SELECT unnest(${textList(singles)})::INTEGER)`] : []),
    ...wide.map(({ low, high }) => sql`${sectionCode} BETWEEN ${low} AND ${high}`),
  ]);
}

/** `smi` matches a part of the last name, `smith,` all of it, `smith, j` the start of the full name. */
export function instructorTest(given: string, { names, lastNames }: Columns<"names" | "lastNames">): Fragment {
  const value = nameKey(given.trim());
  const comma = value.indexOf(",");
  if (comma < 0) return sql`contains(${lastNames}, ${textLine(value).slice(1, -1)})`;
  const lastNameOnly = value.slice(comma + 1).trim() === "";
  return lastNameOnly
    ? sql`contains(${lastNames}, ${textLine(value.slice(0, comma))})`
    : sql`contains(${names}, ${textLine(value).slice(0, -1)})`;
}

type Column = keyof typeof scheduleTable.columns;
type FullCourses = NonNullable<ScheduleValues["fullCourses"]>;

const isFull = (choice: FullCourses, { status, enrolled, capacity }: Columns<Column>): Fragment =>
  ({
    SkipFull: sql`${status} <> 'FULL' AND ${status} <> 'Waitl'`,
    SkipFullWaitlist: sql`${status} <> 'FULL'`,
    FullOnly: sql`${status} = 'FULL' OR ${status} = 'Waitl'`,
    OverEnrolled: sql`${enrolled} > ${capacity}`,
  })[choice];

const FULL_WORDS: Readonly<Record<FullCourses, string>> = {
  SkipFull: "with seats or a waitlist that is not full",
  SkipFullWaitlist: "not full",
  FullOnly: "full",
  OverEnrolled: "over-enrolled",
};

/** Excludes cancelled sections by default. */
export function cancelledTest(
  choice: ScheduleValues["cancelledCourses"],
  { cancelled }: Columns<"cancelled">,
): Fragment {
  if (choice === "Include") return sql`TRUE`;
  return choice === "Only" ? cancelled : sql`NOT ${cancelled}`;
}

const rangeWords = ({ low, high }: Range): string => (low === high ? `${low}` : `${low}-${high}`);
/** `9:05 am` */
const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, "0")} ${minutes < 720 ? "am" : "pm"}`;
const nothing = (): string => "";

const filter = filterOver<Column>();
const p = scheduleParams;

export const scheduleFilters = {
  // These two select the loaded table.
  year: filter(p.year, null, (year) => year),
  quarter: filter(p.quarter, null, (quarter) => quarter),
  cache: filter(p.cache, null, nothing),
  cacheOnly: filter(p.cacheOnly, null, nothing),
  includeCoCourses: filter(p.includeCoCourses, null, (all) => (all ? "and all of their courses' sections" : "")),
  ge: filter(
    p.ge,
    (category, c) => sql`list_contains(${c.geCategories}, ${category})`,
    (category) => category,
  ),
  department: filter(
    p.department,
    (key, c) => sql`${c.departmentKey} = ${key}`,
    (key) => key,
  ),
  sectionCodes: filter(
    p.sectionCodes,
    (ranges, c) => codesTest(ranges, c.sectionCode),
    (ranges) => `section code ${ranges.map(rangeWords).join(" or ")}`,
  ),
  instructorName: filter(p.instructorName, instructorTest, (given) => `taught by ${given}`),
  building: filter(
    p.building,
    (code, c, { room }) =>
      typeof room === "string"
        ? sql`list_contains(${c.rooms}, upper(${`${code.trim()} ${room.trim()}`}))`
        : sql`list_contains(${c.buildings}, upper(${code.trim()}))`,
    (code) => `in ${code.trim()}`,
  ),
  // Part of the condition of `building`.
  room: filter(p.room, null, (room) => `room ${room.trim()}`),
  division: filter(
    p.division,
    (division, c) =>
      sql`${c.courseNumeric} BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
    (division) => division,
  ),
  courseNumber: filter(
    p.courseNumber,
    (items, c) =>
      anyOf(
        items.map((item) =>
          "number" in item
            ? sql`${c.courseNumberKey} = lower(${item.number})`
            : sql`${c.courseNumeric} BETWEEN ${item.low} AND ${item.high}`,
        ),
      ),
    (items) => `course number ${items.map((item) => ("number" in item ? item.number : rangeWords(item))).join(" or ")}`,
  ),
  courseTitle: filter(
    p.courseTitle,
    (part, c) => sql`contains(${c.titleKey}, lower(${part}))`,
    (part) => `"${part}" in the title`,
  ),
  sectionType: filter(
    p.sectionType,
    (type, c) => sql`${c.sectionType} = ${type}`,
    (type) => type,
  ),
  units: filter(
    p.units,
    (items, c) =>
      anyOf(items.map((item) => (item === "VAR" ? c.variableUnits : sql`${c.fixedUnits} = ${item}::DOUBLE`))),
    (items) => `${items.join(" or ")} units`,
  ),
  days: filter(
    p.days,
    (sets, c) => sql`list_has_all(${c.days}, ${textList([...new Set(sets.flat())])})`,
    (sets) => [...new Set(sets.flat())].join(""),
  ),
  startTime: filter(
    p.startTime,
    (minutes, c) => sql`${c.earliest} >= ${minutes}`,
    (minutes) => `after ${clock(minutes)}`,
  ),
  endTime: filter(
    p.endTime,
    (minutes, c) => sql`${c.latest} <= ${minutes}`,
    (minutes) => `before ${clock(minutes)}`,
  ),
  maxCapacity: filter(
    p.maxCapacity,
    ({ operator, count }, c) =>
      operator === ">"
        ? sql`${c.capacity} > ${count}`
        : operator === "<"
          ? sql`${c.capacity} < ${count}`
          : sql`${c.capacity} = ${count}`,
    ({ operator, count }) => `capacity ${operator} ${count}`,
  ),
  fullCourses: filter(p.fullCourses, isFull, (choice) => FULL_WORDS[choice]),
  excludeRestrictionCodes: filter(
    p.excludeRestrictionCodes,
    (letters, c) => sql`NOT list_has_any(${c.restrictionCodes}, ${textList(letters)})`,
    (letters) => `without restriction ${letters.join(" or ")}`,
  ),
  // It has a default and applies to co-courses too: see cancelledTest.
  cancelledCourses: filter(p.cancelledCourses, null, (choice) =>
    choice === "Exclude" ? "" : choice === "Only" ? "cancelled" : "cancelled or not",
  ),
};
