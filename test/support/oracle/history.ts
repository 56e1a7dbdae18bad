/** Changes and enrollment histories (server/RULES.md, Time, Tutorials and enrollment history). */
import { filtered, OF_SECTIONS } from "./filters.ts";
import type { Query } from "./query.ts";
import { type Answer, by, isId, isUntil, list, Missing, type Moment, pick, type Row, type Tables } from "./rows.ts";

type Change = Tables["changes"][number];
const CHANGE_FILTERS = "year quarter department courseNumber sectionCodes instructorName kind";
const SERVED = "at since snapshot year quarter sectionCode department courseNumber kind field before after";

/** "They are ordered by `at`, term, section code and field" */
export function changesAnswer({ tables, snapshots }: Moment, query: Query): Answer {
  const rows = filtered(tables.changes, CHANGE_FILTERS, query, tables);
  const [since, until] = [query.moment("since"), query.moment("until")];
  if ([since, until].some((bound) => bound !== undefined && isId(bound) && !snapshots.includes(bound)))
    throw new Missing();
  const isIn = (row: Change, moment: string) =>
    isId(moment) ? snapshots.indexOf(row.snapshot) <= snapshots.indexOf(moment) : isUntil(row.at, moment);
  const changes = rows.filter((row) => (!since || !isIn(row, since)) && (!until || isIn(row, until)));
  return list(changes.sort(by("at year quarter sectionCode field")), (row) => pick(row, SERVED));
}

type History = Tables["enrollment_history"][number];
const SECTION =
  "year quarter sectionCode department courseNumber sectionType sectionNum units instructors meetings finalExam";
const VALUES = ["maxCapacity", "totalEnrolled", "waitlist", "waitlistCap", "requested", "newOnlyReserved", "status"];

/** "One value for a section and day", of all days of its periods. */
function daysOf({ year, quarter, sectionCode }: History, { enrollment_periods }: Tables): Row[] {
  const days: Row[] = [];
  for (const period of enrollment_periods) {
    if (period.year !== year || period.quarter !== quarter || period.sectionCode !== sectionCode) continue;
    for (let at = Date.parse(period.first); at <= Date.parse(period.last); at += 86_400_000)
      days.push({ date: new Date(at).toJSON().slice(0, 10), ...pick(period, VALUES) });
  }
  return days.sort(by("date"));
}

export function historyAnswer({ tables, isCompat }: Moment, query: Query): Answer {
  const rows = filtered(tables.enrollment_history, `${OF_SECTIONS} sectionType`, query, tables);
  rows.sort(by("year quarter department courseNumeric courseNumber sectionCode"));
  const section = (row: History): Row => ({ ...pick(row, SECTION), sectionCode: Number(row.sectionCode) });
  const record = (row: History): Row => {
    const days = daysOf(row, tables);
    const lists = VALUES.map((value) => [`${value}History`, days.map((day) => day[value])]);
    return {
      ...section(row),
      ...(isCompat ? { sectionCode: row.sectionCode } : {}),
      dates: days.map(({ date }) => date),
      ...Object.fromEntries(lists),
    };
  };
  return list(rows, (row) => daysOf(row, tables).map((day) => ({ ...section(row), ...day })), record);
}
