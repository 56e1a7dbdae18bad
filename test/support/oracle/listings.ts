/** Departments, terms, tutorials, and the academic calendar with its weeks (server/RULES.md, Schedule, Week). */
import { filtered, termOf, valuesOf } from "./filters.ts";
import type { Query } from "./query.ts";
import * as plain from "./rows.ts";
import { type Answer, by, list, type Moment, nameOf, object, pick, rankOf, type Row, type Term } from "./rows.ts";

const distinct = (rows: readonly Term[]): Term[] =>
  [...new Map(rows.map((row) => [nameOf(row), row])).values()].sort(by("year quarter"));

export function departmentsAnswer({ tables: { departments, grades } }: Moment): Answer {
  const names = new Map<string, string>(grades.map(({ department }) => [department, ""]));
  for (const { deptCode, deptName } of departments) names.set(deptCode, deptName);
  const rows = plain.sorted([...names.keys()]).map((deptValue) => {
    const name = names.get(deptValue);
    return { deptLabel: name ? `${deptValue}: ${name}` : deptValue, deptValue };
  });
  return list([{ deptLabel: "ALL: Include All Departments", deptValue: "ALL" }, ...rows]);
}

const LONG = "Winter Quarter|Spring Quarter|Summer Session 1|10-wk Summer|Summer Session 2|Fall Quarter".split("|");
export function termsAnswer({ tables: { terms, grades } }: Moment): Answer {
  const longNameOf = (term: Term) => terms.find((row) => nameOf(row) === nameOf(term))?.longName;
  const rows = distinct([...terms, ...grades]).toReversed();
  const usual = ({ year, quarter }: Term) => `${year} ${LONG[rankOf(quarter)]}`;
  return list(rows.map((term) => ({ shortName: nameOf(term), longName: longNameOf(term) ?? usual(term) })));
}

export function tutorialsAnswer({ tables: { larc }, isCompat }: Moment, query: Query): Answer {
  const term = nameOf(termOf(query));
  const rows = larc.filter((row) => nameOf(row) === term && row.quarter !== "Summer10wk");
  const shown = (section: Row) =>
    isCompat ? { ...section, days: section["day"], bldg: section["building"] } : section;
  return list(
    rows.sort(by("courseNumber courseName")),
    ({ sections, ...row }) => sections.map((section) => ({ ...pick(row, "courseNumber courseName"), ...section })),
    ({ sections, ...row }) => ({ courseInfo: pick(row, "courseNumber courseName"), sections: sections.map(shown) }),
  );
}

const BOUNDS = "instructionStart instructionEnd finalsStart finalsEnd";
const NONE = { instructionStart: null, instructionEnd: null, finalsStart: null, finalsEnd: null };

/** "Terms newest first, each with its dates by first day"; with year and quarter the four days of one. */
export function calendarAnswer({ tables }: Moment, query: Query): Answer {
  const terms = distinct([...tables.calendar, ...tables.calendar_dates]);
  const rows = filtered(terms, "year quarter", query, tables).map((term) => {
    const own = tables.calendar_dates.filter((row) => nameOf(row) === nameOf(term));
    // Unknown dates come last.
    const dates = own.map((row) => ({ ...row, first: row.firstDay ?? row.lastDay ?? "9", last: row.lastDay ?? "9" }));
    const days = tables.calendar.find((row) => nameOf(row) === nameOf(term)) ?? NONE;
    const shown = dates.sort(by("first last event")).map((row) => pick(row, "event kind firstDay lastDay"));
    return { ...pick(term, "year quarter"), ...pick(days, BOUNDS), dates: shown };
  });
  if ([...valuesOf("year", query), ...valuesOf("quarter", query)].length < 2) return list(rows.toReversed());
  const [days] = filtered(tables.calendar, "year quarter", query, tables);
  if (!days) throw new plain.Missing();
  return object(pick(days, BOUNDS), rows);
}

const TITLES = "Winter Quarter|Spring Quarter|Summer Session I|Summer Session 10WK|Summer Session II|Fall Quarter";
const titleOf = ({ year, quarter }: Term): string => `${TITLES.split("|")[rankOf(quarter)]} ${year}`;

/** "Weeks are counted from the Monday of week 1; Fall begins on a Thursday, and those first days are week 1 too" */
function weekOf(day: string, instructionStart: string): number {
  const [start, at] = [instructionStart, day].map((date) => Date.parse(date) / 86_400_000) as [number, number];
  // Monday = 0; the first day of 1970 was a Thursday.
  const weekday = (start + 3) % 7;
  return Math.max(1, 1 + Math.floor((at - start + weekday - (weekday < 3 ? 0 : 7)) / 7));
}

export function weekAnswer({ tables: { calendar }, now }: Moment, query: Query): Answer {
  const parts = [valuesOf("year", query)[0], ...["month", "day"].map((name) => query.number(name, /^\d{1,2}$/))];
  const isToday = parts.every((part) => part === undefined);
  const day = isToday ? plain.dayOnCampus(now) : parts.map((part) => String(part).padStart(2, "0")).join("-");
  if (Number.isNaN(Date.parse(day)) || new Date(day).toJSON().slice(0, 10) !== day) query.broken++;
  const terms = [...calendar].sort(by("year quarter"));
  const finals = terms.filter((row) => row.finalsStart <= day && day <= row.finalsEnd);
  const isIn = terms.filter((row) => row.instructionStart <= day && day <= row.instructionEnd && !finals.includes(row));
  const session = isIn.map((row) => ({ title: titleOf(row), week: weekOf(day, row.instructionStart) }));
  const word = finals.length + session.length === 1 ? "Finals Week" : "Finals";
  const shared = [...new Set(session.map(({ week }) => week))].map((week) => {
    const own = session.filter((event) => event.week === week).map(({ title }) => title);
    return `Week ${week} • ${own.join(" | ")}`;
  });
  const words = [...finals.map((term) => `${word} • ${titleOf(term)}. Good luck! 🤞`), ...shared].join(" | ");
  const all = [...session, ...finals.map((term) => ({ title: titleOf(term), week: -1 }))];
  const shown = words === "" ? [{ title: "N/A", week: -1 }] : all;
  const display = words === "" ? "Enjoy your break! 😎" : words;
  const rows = shown.map(({ week, title }) => ({ week, quarter: title, display }));
  return object({ weeks: rows.map(({ week }) => week), quarters: rows.map(({ quarter }) => quarter), display }, rows);
}
