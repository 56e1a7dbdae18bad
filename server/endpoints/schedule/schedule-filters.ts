/** One predicate per filter of the schedule endpoint (server/RULES.md, Schedule). */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../../pipeline/contract/vocabulary.ts";
import { anyOf, type Fragment, sql, textList } from "../../duckdb/sql.ts";
import type { Filters } from "../../response/params.ts";
import { geBit } from "../../snapshot/tables/grades.ts";
import { textLine } from "../../snapshot/tables/expressions.ts";
import type { Range, ScheduleValues, scheduleParams } from "./schedule-params.ts";

/** Single codes are one list parameter: 40 comparisons would cost three times as much. */
export function codesTest(ranges: readonly Range[], sectionCode = sql`sectionCode`): Fragment {
  const singles = ranges.filter(({ low, high }) => low === high).map(({ low }) => String(low));
  const wide = ranges.filter(({ low, high }) => low < high);
  return anyOf([
    ...(singles.length > 0 ? [sql`${sectionCode} IN (SELECT unnest(${textList(singles)})::INTEGER)`] : []),
    ...wide.map(({ low, high }) => sql`${sectionCode} BETWEEN ${low} AND ${high}`),
  ]);
}

/** `smi` matches a part of the last name, `smith,` all of it, `smith, j` the start of the full name. */
export function instructorTest(
  given: string,
  { names, lastNames } = { names: sql`names`, lastNames: sql`lastNames` },
): Fragment {
  const value = nameKey(given.trim());
  const comma = value.indexOf(",");
  if (comma < 0) return sql`contains(${lastNames}, ${textLine(value).slice(1, -1)})`;
  const lastNameOnly = value.slice(comma + 1).trim() === "";
  return lastNameOnly
    ? sql`contains(${lastNames}, ${textLine(value.slice(0, comma))})`
    : sql`contains(${names}, ${textLine(value).slice(0, -1)})`;
}

const fullTests: Record<NonNullable<ScheduleValues["fullCourses"]>, Fragment> = {
  SkipFull: sql`status <> 'FULL' AND status <> 'Waitl'`,
  SkipFullWaitlist: sql`status <> 'FULL'`,
  FullOnly: sql`status = 'FULL' OR status = 'Waitl'`,
  OverEnrolled: sql`enrolled > capacity`,
};

/** Excludes cancelled sections by default. */
export function cancelledTest(choice: ScheduleValues["cancelledCourses"]): Fragment {
  if (choice === "Include") return sql`TRUE`;
  return choice === "Only" ? sql`cancelled` : sql`NOT cancelled`;
}

export const scheduleFilters: Filters<typeof scheduleParams> = {
  // These select the table.
  year: null,
  quarter: null,
  cache: null,
  cacheOnly: null,
  includeCoCourses: null,
  ge: (category) => sql`(ge & ${geBit(category)}) <> 0`,
  department: (key) => sql`departmentKey = ${key}`,
  sectionCodes: (ranges) => codesTest(ranges),
  instructorName: (given) => instructorTest(given),
  building: (code, { room }) =>
    room === undefined
      ? sql`list_contains(buildings, upper(${code.trim()}))`
      : sql`list_contains(rooms, upper(${`${code.trim()} ${room.trim()}`}))`,
  // Part of the predicate of `building`.
  room: null,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  courseNumber: (items) =>
    anyOf(
      items.map((item) =>
        "number" in item
          ? sql`courseNumberKey = lower(${item.number})`
          : sql`courseNumeric BETWEEN ${item.low} AND ${item.high}`,
      ),
    ),
  courseTitle: (part) => sql`contains(titleKey, lower(${part}))`,
  sectionType: (type) => sql`sectionType = ${type}`,
  units: (items) =>
    anyOf(items.map((item) => (item === "VAR" ? sql`variableUnits` : sql`fixedUnits = ${item}::DOUBLE`))),
  days: (sets) => sql`list_has_all(days, ${textList([...new Set(sets.flat())])})`,
  startTime: (minutes) => sql`earliest >= ${minutes}`,
  endTime: (minutes) => sql`latest <= ${minutes}`,
  maxCapacity: ({ operator, count }) =>
    operator === ">"
      ? sql`capacity > ${count}`
      : operator === "<"
        ? sql`capacity < ${count}`
        : sql`capacity = ${count}`,
  fullCourses: (choice) => fullTests[choice],
  excludeRestrictionCodes: (letters) => sql`NOT list_has_any(restrictionCodes, ${textList(letters)})`,
  // It has a default and applies to co-courses too: see cancelledTest.
  cancelledCourses: null,
};
