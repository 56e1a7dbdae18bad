import { settleAll } from "../settle-all.ts";
import type { LoadMore, Loaded, Loading } from "../loading.ts";
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
  loadTable: <R extends string, More extends object = object>(
    loading: Loading<R>,
    loadMore?: LoadMore<More>,
  ) => Promise<Loaded<R> & More>,
): Promise<SnapshotTables> {
  const [grades, departments, terms, courses, instructors, larc, calendar] = await settleAll([
    loadTable(gradesTable, loadGradeTables),
    loadTable(departmentsTable),
    loadTable(termsTable),
    loadTable(coursesTable, readKeys("id")),
    loadTable(instructorsTable, readKeys("netid")),
    loadTable(larcTable),
    loadTable(calendarTable, readDates),
  ]);
  return { grades, departments, terms, courses, instructors, larc, calendar };
}
