/** Distinct values of the filtered grades. */
import type { Pool } from "../../duckdb/pool.ts";
import { sql } from "../../duckdb/sql.ts";
import type { SnapshotTables } from "../../snapshot/tables/all.ts";
import type { GradeTables } from "../../snapshot/tables/grades.ts";
import { allOfferings, type GradeAnswer, type GradeValues, isUnfiltered } from "./grade-queries.ts";

/** Dictionary numbers, or years and section codes, in any order. */
interface OptionNumbers {
  readonly years: Iterable<number>;
  readonly departments: Iterable<number>;
  readonly courseNumbers: Iterable<number>;
  readonly sectionCodes: Iterable<number>;
  readonly instructors: Iterable<number>;
}

/** Stands for the instructor of a section without one. */
const NOBODY = -1;

async function readOptions(pool: Pool, values: GradeValues, tables: SnapshotTables): Promise<OptionNumbers> {
  // Rows of numbers are read in half the time that lists of distinct values take.
  const [years, departments, courseNumbers, sectionCodes, instructors] = await pool.integers(
    sql`SELECT year, department, courseNumber, sectionCode, coalesce(instructor, ${NOBODY}) ${allOfferings(values, tables)}`,
  );
  const named = new Set(instructors);
  named.delete(NOBODY);
  return {
    years: new Set(years),
    departments: new Set(departments),
    courseNumbers: new Set(courseNumbers),
    sectionCodes: new Set(sectionCodes),
    instructors: named,
  };
}

/** Without filters the dictionaries are the result. */
const allOptions = ({ years, sectionCodes, texts }: GradeTables): OptionNumbers => ({
  years,
  departments: texts.department.keys(),
  courseNumbers: texts.courseNumber.keys(),
  sectionCodes,
  instructors: texts.instructor.keys(),
});

/** The JSON object: years newest first, everything else ascending (server/RULES.md, Grades). */
function toOptions(numbers: OptionNumbers, { texts }: GradeTables): string {
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

export const answerOptions: GradeAnswer = async (values, { pool, snapshot: { tables } }) => {
  const options = isUnfiltered(values) ? allOptions(tables.grades) : await readOptions(pool, values, tables);
  return { body: [Buffer.from(toOptions(options, tables.grades))] };
};
