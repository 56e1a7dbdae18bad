import type { LoadMore, Loaded, Loading } from "../loading/loading.ts";
import { coursesTable, formerNamesTable, instructorsTable, loadFormerNames, readKeys } from "./catalogue.ts";
import { calendarTable, readDates, larcTable, departmentsTable, termsTable } from "./listings.ts";
import { gradesTable } from "./grades.ts";

export type LoadTable = <More extends object = object>(
  loading: Loading,
  loadMore?: LoadMore<More>,
) => Promise<Loaded & More>;

export const LOADERS = {
  grades: (load: LoadTable) => load(gradesTable),
  departments: (load: LoadTable) => load(departmentsTable),
  terms: (load: LoadTable) => load(termsTable),
  courses: (load: LoadTable) => load(coursesTable, readKeys),
  former_names: (load: LoadTable) => load(formerNamesTable, loadFormerNames),
  instructors: (load: LoadTable) => load(instructorsTable, readKeys),
  larc: (load: LoadTable) => load(larcTable),
  calendar: (load: LoadTable) => load(calendarTable, readDates),
};

export type LoadedTable = keyof typeof LOADERS;
export type SnapshotTables = { readonly [N in LoadedTable]: Awaited<ReturnType<(typeof LOADERS)[N]>> };
export const LOADED_TABLES = Object.keys(LOADERS) as LoadedTable[];

export const isLoadedTable = (table: string): table is LoadedTable => Object.hasOwn(LOADERS, table);
