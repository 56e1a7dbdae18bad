/** The list of SQL views over the published tables, and second names of columns. `make sql`, the site, the manifest and the lake read this list. */
import { quoteIdentifier } from "./sql-text.ts";
import { holidays, registrationDates, weekOfTerm } from "./views/calendar.ts";
import { gradeStudents } from "./views/grades.ts";
import { teaching } from "./views/instructors.ts";
import { finals, meetingsFlat } from "./views/meetings.ts";
import { scheduleView } from "./views/schedule.ts";
import { enrollmentDays, seats } from "./views/seats.ts";
import type { View } from "./views/view.ts";

export type { View } from "./views/view.ts";

/** By table and column: a second name for one that SQL reserves, or that other tables and all views have for the same thing. */
export const COLUMN_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  changes: { at: "changedAt" },
  sections: { deptCode: "department" },
  headings: { deptCode: "department" },
  departments: { deptCode: "department" },
};

/** What follows `SELECT *`: the columns of a table under their second names. */
export const aliasColumns = (table: string): string =>
  Object.entries(COLUMN_ALIASES[table] ?? {})
    .map(([column, alias]) => `, ${quoteIdentifier(column)} AS ${quoteIdentifier(alias)}`)
    .join("");

export const VIEWS: readonly View[] = [
  enrollmentDays,
  seats,
  scheduleView,
  meetingsFlat,
  finals,
  teaching,
  gradeStudents,
  weekOfTerm,
  holidays,
  registrationDates,
];
