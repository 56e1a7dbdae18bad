import type { LoadMore, Loaded, Loading } from "../loading/loading.ts";
import type { TermDates } from "../../../pipeline/contract/rows/calendar.ts";
import {
  coursesTable,
  formerNamesTable,
  instructorsTable,
  type Keyed,
  type NamedBefore,
  readFormerNames,
  readKeys,
} from "./catalogue.ts";
import { calendarTable, readDates, larcTable, departmentsTable, termsTable } from "./listings.ts";
import { gradesTable } from "./grades.ts";

export interface SnapshotTables {
  readonly grades: Loaded;
  readonly departments: Loaded;
  readonly terms: Loaded;
  readonly courses: Loaded & Keyed;
  readonly former_names: Loaded & NamedBefore;
  readonly instructors: Loaded & Keyed;
  readonly larc: Loaded;
  readonly calendar: Loaded & { readonly dates: readonly TermDates[] };
}

export type LoadedTable = keyof SnapshotTables;

export type LoadTable = <More extends object = object>(
  loading: Loading,
  loadMore?: LoadMore<More>,
) => Promise<Loaded & More>;

export const LOADERS: { readonly [N in LoadedTable]: (loadTable: LoadTable) => Promise<SnapshotTables[N]> } = {
  grades: (loadTable) => loadTable(gradesTable),
  departments: (loadTable) => loadTable(departmentsTable),
  terms: (loadTable) => loadTable(termsTable),
  courses: (loadTable) => loadTable(coursesTable, readKeys),
  former_names: (loadTable) => loadTable(formerNamesTable, readFormerNames),
  instructors: (loadTable) => loadTable(instructorsTable, readKeys),
  larc: (loadTable) => loadTable(larcTable),
  calendar: (loadTable) => loadTable(calendarTable, readDates),
};
export const LOADED_TABLES = Object.keys(LOADERS) as LoadedTable[];

export const isLoadedTable = (table: string): table is LoadedTable => Object.hasOwn(LOADERS, table);
