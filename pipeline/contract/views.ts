/** The list of SQL views over the published tables, and second names of columns. `make sql`, the site, the manifest and the lake read this list. */
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

/** The descriptions of the second names of a table's columns, by name. */
export const aliasDescriptions = (table: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(COLUMN_ALIASES[table] ?? {}).map(([column, alias]) => [alias, `second name of \`${column}\``]),
  );

/** By column of a view; with the second names of its tables' columns, which a view that selects all columns passes on. */
export const descriptionsOf = (view: View): Record<string, string> => ({
  ...Object.assign({}, ...view.tables.map(aliasDescriptions)),
  ...Object.fromEntries(describedColumns(view).map(({ name, description }) => [name, description])),
});

/** The view of all descriptions: wherever the tables are in SQL it is too, as a reader of the database knows them. */
export const COLUMNS = { name: "columns", about: "one row a column of a table or view, with its description" };

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
