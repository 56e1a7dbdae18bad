/** The list of published tables. The server, the SQL shell, the README and the checks read this list. */
import { calendar, calendarDates } from "./rows/calendar.ts";
import { changes } from "./rows/change.ts";
import { courses } from "./rows/course.ts";
import { enrollmentHistory, enrollmentImports, enrollmentPeriods } from "./rows/enrollment-history.ts";
import { formerNames } from "./rows/former-name.ts";
import { grades } from "./rows/grade.ts";
import { instructors } from "./rows/instructor.ts";
import { larc } from "./rows/larc.ts";
import { departments, terms } from "./rows/listing.ts";
import type { Product } from "./documents/manifest.ts";
import { headings, sections } from "./rows/section.ts";
import { sectionInstructors } from "./rows/section-instructor.ts";
import { sources } from "./rows/source.ts";
import type { Table } from "./table.ts";

/**
 * Increment it whenever a published table, or the file of a view, changes its shape: a server refuses a snapshot of
 * another version, and a run migrates an older one (`pipeline/migrations/`).
 */
export const CONTRACT_VERSION = 1;

export const TABLES = {
  sections,
  headings,
  departments,
  terms,
  grades,
  courses,
  former_names: formerNames,
  instructors,
  section_instructors: sectionInstructors,
  calendar,
  calendar_dates: calendarDates,
  larc,
  enrollment_history: enrollmentHistory,
  enrollment_periods: enrollmentPeriods,
  enrollment_imports: enrollmentImports,
  changes,
  sources,
} as const satisfies Record<string, Table>;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/**
 * Tables with records of this service, which no upstream can send again, including when data was fetched. They are
 * backed up, restored, migrated and repaired, and losses are reported.
 */
export const IRREPLACEABLE_TABLES: readonly string[] = [
  "enrollment_history",
  "enrollment_periods",
  "enrollment_imports",
  "changes",
  "sources",
] satisfies TableName[];

/** Tables about the snapshots themselves, which the snapshot id does not cover because rows of `changes` contain it. */
export const TABLES_BESIDE_ID: readonly string[] = ["changes", "sources"] satisfies TableName[];

const EMPTY = "empty/";
/** The `table` of a file without rows, which a table without other files has for readers of folders. */
export const emptyName = (table: string): string => `${EMPTY}${table}`;
/** The table of an `emptyName`; undefined for other names. */
export const emptyTable = (name: string): string | undefined =>
  name.startsWith(EMPTY) ? name.slice(EMPTY.length) : undefined;

/**
 * Tables of the university's data. Equal inputs yield equal files of these tables, whenever and wherever they are
 * crawled.
 */
export const FACT_TABLES: readonly string[] = TABLE_NAMES.filter((name) => !IRREPLACEABLE_TABLES.includes(name));

/** The product that fills each table. */
export const PRODUCT_OF: Readonly<Record<TableName, Product>> = {
  sections: "schedule",
  headings: "schedule",
  departments: "schedule",
  terms: "schedule",
  grades: "grades",
  courses: "catalogue",
  former_names: "catalogue",
  instructors: "instructors",
  section_instructors: "instructors",
  calendar: "calendar",
  calendar_dates: "calendar",
  larc: "larc",
  enrollment_history: "enrollment",
  enrollment_periods: "enrollment",
  enrollment_imports: "enrollment",
  changes: "schedule",
  sources: "schedule",
};
