/** The filters of grade requests, as SQL over the numeric tables (behaviour §3). */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { DIVISION_BOUNDS } from "../../../pipeline/contract/vocabulary.ts";
import { allOf, type Fragment, sql } from "../../duckdb/sql.ts";
import { type Filters, toConditions } from "../../response/endpoint.ts";
import { flag, type ValuesOf } from "../../response/params.ts";
import type { SnapshotTables } from "../../snapshot/tables/all.ts";
import { geBit, type GradeTables, quarterNumber } from "../../snapshot/tables/grades.ts";
import {
  courseNumberParam,
  departmentParam,
  divisionParam,
  geParam,
  instructorParam,
  quarterParam,
  sectionCodeParam,
  yearParam,
} from "../shared-params.ts";

export const gradeParams = {
  year: yearParam,
  quarter: quarterParam,
  instructor: instructorParam,
  department: departmentParam,
  courseNumber: courseNumberParam,
  sectionCode: sectionCodeParam,
  division: divisionParam,
  ge: geParam,
  excludePNP: flag("true leaves out sections that reported Pass/No-Pass grades only"),
};
export type GradeValues = ValuesOf<typeof gradeParams>;

/** A dictionary number without rows. */
const NONE = -1;

const filtersOf = ({ keys }: GradeTables): Filters<typeof gradeParams> => ({
  year: (year) => sql`year = ${Number(year)}`,
  quarter: (quarter) => sql`quarter = ${quarterNumber(quarter)}`,
  // A column of offerings only: `matchingSections` reads them.
  instructor: (instructor) => sql`instructorKey = ${keys.instructor.get(nameKey(instructor)) ?? NONE}`,
  department: (key) => sql`departmentKey = ${keys.department.get(key) ?? NONE}`,
  courseNumber: (number) => sql`courseNumberKey = ${keys.courseNumber.get(number.toLowerCase()) ?? NONE}`,
  sectionCode: (code) => sql`sectionCode = ${Number(code)}`,
  division: (division) =>
    sql`courseNumeric BETWEEN ${DIVISION_BOUNDS[division][0]} AND ${DIVISION_BOUNDS[division][1]}`,
  ge: (category) => sql`(ge & ${geBit(category)}) <> 0`,
  excludePNP: (exclude) => (exclude ? sql`hasLetters` : sql`TRUE`),
});

export const isUnfiltered = (values: GradeValues, grades: GradeTables): boolean =>
  toConditions(filtersOf(grades), values).length === 0;

/** `FROM … WHERE …`: the matching sections, each once. */
export function matchingSections(values: GradeValues, { grades }: SnapshotTables): Fragment {
  const conditions = allOf(toConditions(filtersOf(grades), values));
  return values.instructor === undefined
    ? sql`FROM ${grades.from} WHERE ${conditions}`
    : sql`FROM ${grades.offerings} WHERE isFirst AND ${conditions}`;
}

/** The offerings of the matching sections; with an instructor given, only that instructor's (behaviour §8). */
export const matchingOfferings = (values: GradeValues, { grades }: SnapshotTables): Fragment =>
  sql`FROM ${grades.offerings} WHERE offering IS NOT NULL AND ${allOf(toConditions(filtersOf(grades), values))}`;

/** The offerings of the matching sections, ignoring the instructor filter. */
export function allOfferings({ instructor, ...values }: GradeValues, { grades }: SnapshotTables): Fragment {
  const filters = filtersOf(grades);
  const conditions = toConditions(filters, values);
  if (instructor !== undefined) {
    const theirs = toConditions(filters, { instructor });
    conditions.push(sql`row_id IN (SELECT row_id FROM ${grades.offerings} WHERE ${allOf(theirs)})`);
  }
  return sql`FROM ${grades.offerings} WHERE ${allOf(conditions)}`;
}
