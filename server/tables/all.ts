/** The tables that every snapshot holds whole. */
import type { Loaded, Loading } from "../loading.ts";
import { gradesTable } from "./grades.ts";
import { departmentsTable, termsTable } from "./listings.ts";

export interface WholeTables {
  readonly grades: Loaded<"raw" | "listed">;
  readonly departments: Loaded<never>;
  readonly terms: Loaded<never>;
}

export async function wholeTables(
  hold: <R extends string>(loading: Loading<R>) => Promise<Loaded<R>>,
  _compat: boolean,
): Promise<WholeTables> {
  return {
    grades: await hold(gradesTable),
    departments: await hold(departmentsTable),
    terms: await hold(termsTable),
  };
}
