/** Distinct values of the filtered grades. */
import type { Pool } from "../../duckdb/pool.ts";
import { sql } from "../../duckdb/sql.ts";
import type { SnapshotTables } from "../../snapshot/tables/all.ts";
import type { GradeTables } from "../../snapshot/tables/grades.ts";
import { allOfferings, type GradeValues } from "./grade-selection.ts";

/** Dictionary numbers, or years and section codes, in any order. */
export interface OptionNumbers {
  readonly years: Iterable<number>;
  readonly departments: Iterable<number>;
  readonly courseNumbers: Iterable<number>;
  readonly sectionCodes: Iterable<number>;
  readonly instructors: Iterable<number>;
}

export async function readOptions(pool: Pool, values: GradeValues, tables: SnapshotTables): Promise<OptionNumbers> {
  // Faster than list(DISTINCT …).
  const lists = await pool.columns(
    sql`SELECT list_distinct(list(year)), list_distinct(list(department)), list_distinct(list(courseNumber)),
      list_distinct(list(sectionCode)), list_distinct(list(instructor)) ${allOfferings(values, tables)}`,
  );
  const [years, departments, courseNumbers, sectionCodes, instructors] = lists.map(
    ([list]) => (list ?? []) as number[],
  );
  return {
    years: years ?? [],
    departments: departments ?? [],
    courseNumbers: courseNumbers ?? [],
    sectionCodes: sectionCodes ?? [],
    instructors: instructors ?? [],
  };
}

/** Without filters the dictionaries are the result. */
export const allOptions = ({ years, sectionCodes, texts }: GradeTables): OptionNumbers => ({
  years,
  departments: texts.department.keys(),
  courseNumbers: texts.courseNumber.keys(),
  sectionCodes,
  instructors: texts.instructor.keys(),
});

/** The JSON object: years newest first, everything else ascending (behaviour §3). */
export function toOptions(numbers: OptionNumbers, { texts }: GradeTables): string {
  const ascending = (all: Iterable<number>) => Array.from(Int32Array.from(all).sort());
  const named = (all: Iterable<number>, names: readonly string[]) => ascending(all).map((number) => names[number]);
  const lists = {
    years: ascending(numbers.years)
      .toReversed()
      .map((year) => `"${year}"`),
    departments: named(numbers.departments, texts.department),
    courseNumbers: named(numbers.courseNumbers, texts.courseNumber),
    sectionCodes: ascending(numbers.sectionCodes).map((code) => `"${String(code).padStart(5, "0")}"`),
    instructors: named(numbers.instructors, texts.instructor),
  };
  return `{${Object.entries(lists)
    .map(([name, values]) => `"${name}":[${values.join(",")}]`)
    .join(",")}}`;
}
