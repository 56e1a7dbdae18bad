/**
 * The list of SQL views over the published tables, and second names of columns. `make sql`, the site, the manifest and
 * the lake read this list.
 */
import { describedColumns } from "./descriptions.ts";
import { quoteIdentifier } from "./sql-text.ts";
import { holidays, registrationDates, weekOfTerm } from "./views/calendar.ts";
import { gradeInstructors, gradeStudents } from "./views/grades.ts";
import { teaching } from "./views/instructors.ts";
import { finals, meetingsFlat } from "./views/meetings.ts";
import { prerequisites } from "./views/prerequisites.ts";
import { scheduleView } from "./views/schedule.ts";
import { enrollmentDays, seats } from "./views/seats.ts";
import type { View } from "./views/view.ts";

export { filesOfView, type View, VIEWS_FOLDER } from "./views/view.ts";

/**
 * By table and column: an alias for a name that SQL reserves, or the name that other tables and all views use for the
 * same thing.
 */
export const COLUMN_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  changes: { at: "changedAt" },
  sections: { deptCode: "department" },
  headings: { deptCode: "department" },
  departments: { deptCode: "department" },
};

/** The rest of a statement after `SELECT *`: the columns of a table under their aliases. */
export const aliasColumns = (table: string): string =>
  Object.entries(COLUMN_ALIASES[table] ?? {})
    .map(([column, alias]) => `, ${quoteIdentifier(column)} AS ${quoteIdentifier(alias)}`)
    .join("");

/** The descriptions of a table's aliases, by name. */
export const aliasDescriptions = (table: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(COLUMN_ALIASES[table] ?? {}).map(([column, alias]) => [alias, `second name of \`${column}\``]),
  );

/**
 * The descriptions of a view's columns, and of its tables' aliases, which a view that selects all columns passes on.
 */
export const descriptionsOf = (view: View): Record<string, string> => ({
  ...Object.assign({}, ...view.tables.map(aliasDescriptions)),
  ...Object.fromEntries(describedColumns(view).map(({ name, description }) => [name, description])),
});

/** The view of all descriptions: it exists wherever the tables are in SQL, for readers of the database. */
export const COLUMNS = { name: "columns", about: "one row per column of a table or view, with its description" };

export const VIEWS: readonly View[] = [
  enrollmentDays,
  seats,
  scheduleView,
  meetingsFlat,
  finals,
  teaching,
  gradeStudents,
  gradeInstructors,
  prerequisites,
  weekOfTerm,
  holidays,
  registrationDates,
];
