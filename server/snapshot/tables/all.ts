import type { LoadMore, Loaded, Loading } from "../loading/loading.ts";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import { type Keyed, readKeys, coursesTable, instructorsTable } from "./catalogue.ts";
import { calendarTable, readDates, larcTable, departmentsTable, termsTable } from "./listings.ts";
import { formerNamesTable, type NamedBefore, readFormerNames } from "./former-names.ts";
import { gradesTable } from "./grades.ts";

export interface SnapshotTables {
  readonly grades: Loaded<"raw" | "listed">;
  readonly departments: Loaded<never>;
  readonly terms: Loaded<never>;
  readonly courses: Loaded<"course"> & Keyed;
  readonly former_names: Loaded<never> & NamedBefore;
  readonly instructors: Loaded<"instructor"> & Keyed;
  readonly larc: Loaded<"entry">;
  readonly calendar: Loaded<never> & { readonly dates: readonly TermDates[] };
}

export type LoadedTable = keyof SnapshotTables;

export type LoadTable = <R extends string, More extends object = object>(
  loading: Loading<R>,
  loadMore?: LoadMore<More>,
) => Promise<Loaded<R> & More>;

export const LOADERS: { readonly [N in LoadedTable]: (loadTable: LoadTable) => Promise<SnapshotTables[N]> } = {
  grades: (loadTable) => loadTable(gradesTable),
  departments: (loadTable) => loadTable(departmentsTable),
  terms: (loadTable) => loadTable(termsTable),
  courses: (loadTable) => loadTable(coursesTable, readKeys("id")),
  former_names: (loadTable) => loadTable(formerNamesTable, readFormerNames),
  instructors: (loadTable) => loadTable(instructorsTable, readKeys("netid")),
  larc: (loadTable) => loadTable(larcTable),
  calendar: (loadTable) => loadTable(calendarTable, readDates),
};
export const LOADED_TABLES = Object.keys(LOADERS) as LoadedTable[];

export const isLoadedTable = (table: string): table is LoadedTable => Object.hasOwn(LOADERS, table);
