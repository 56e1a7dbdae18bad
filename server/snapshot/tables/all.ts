/** The tables that every snapshot holds whole. */
import { settleAll } from "../settle-all.ts";
import type { Also, Loaded, Loading } from "../loading.ts";
import type { TermDates } from "../../../pipeline/contract/calendar.ts";
import { type Keyed, readKeys } from "./keys.ts";
import { calendarTable, readDates } from "./calendar.ts";
import { coursesTable } from "./courses.ts";
import { gradesTable, type GradeTables, loadGradeTables } from "./grades.ts";
import { instructorsTable } from "./instructors.ts";
import { larcTable } from "./larc.ts";
import { departmentsTable, termsTable } from "./listings.ts";

export interface SnapshotTables {
  readonly grades: Loaded<"raw" | "listed"> & GradeTables;
  readonly departments: Loaded<never>;
  readonly terms: Loaded<never>;
  readonly courses: Loaded<"course"> & Keyed;
  readonly instructors: Loaded<"instructor"> & Keyed;
  readonly larc: Loaded<"entry">;
  readonly calendar: Loaded<never> & { readonly dates: readonly TermDates[] };
}

export async function loadSnapshotTables(
  hold: <R extends string, More extends object = object>(
    loading: Loading<R>,
    also?: Also<More>,
  ) => Promise<Loaded<R> & More>,
): Promise<SnapshotTables> {
  // Side by side as far as there are connections.
  const [grades, departments, terms, courses, instructors, larc, calendar] = await settleAll([
    hold(gradesTable, loadGradeTables),
    hold(departmentsTable),
    hold(termsTable),
    hold(coursesTable, readKeys("id")),
    hold(instructorsTable, readKeys("netid")),
    hold(larcTable),
    hold(calendarTable, readDates),
  ]);
  return { grades, departments, terms, courses, instructors, larc, calendar };
}
