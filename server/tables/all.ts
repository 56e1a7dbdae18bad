/** The tables that every snapshot holds whole. */
import type { Also, Loaded, Loading } from "../loading.ts";
import { calendarTable } from "./calendar.ts";
import { coursesTable } from "./courses.ts";
import { type GradeFigures, readGradeFigures } from "./grade-figures.ts";
import { gradesTable } from "./grades.ts";
import { instructorsTable } from "./instructors.ts";
import { larcTable } from "./larc.ts";
import { departmentsTable, termsTable } from "./listings.ts";

export interface WholeTables {
  readonly grades: Loaded<"raw" | "listed"> & { readonly figures: GradeFigures };
  readonly departments: Loaded<never>;
  readonly terms: Loaded<never>;
  readonly courses: Loaded<"course">;
  readonly instructors: Loaded<"instructor">;
  readonly larc: Loaded<"entry">;
  readonly calendar: Loaded<never>;
}

/** Loads them; `compat` decides what an instructor's JSON holds. */
export async function wholeTables(
  hold: <R extends string, More extends object = object>(
    loading: Loading<R>,
    also?: Also<More>,
  ) => Promise<Loaded<R> & More>,
  compat: boolean,
): Promise<WholeTables> {
  return {
    grades: await hold(gradesTable, readGradeFigures),
    departments: await hold(departmentsTable),
    terms: await hold(termsTable),
    courses: await hold(coursesTable),
    instructors: await hold(instructorsTable(compat)),
    larc: await hold(larcTable),
    calendar: await hold(calendarTable),
  };
}
