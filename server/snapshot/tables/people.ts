/**
 * Maps names of instructors in a department to people, in memory; also used for sections that the upstream has just
 * returned.
 */
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import { createTable, type Derivation, type DerivedTable } from "../loading/derived.ts";

export const keyOfDepartment = (department: string): string => `upper(replace(${department}, ' ', ''))`;

/** Selects a row per department and name: `ofDepartment` and `named` are keys, `netids` ascending. */
const selectPeople = (sectionInstructors: Fragment): Fragment =>
  sql`SELECT ${constant(keyOfDepartment("department"))} AS ofDepartment, ${constant(nameKeySql("name"))} AS named,
    list_sort(list_distinct(list(netid))) AS netids FROM ${sectionInstructors} WHERE netid IS NOT NULL GROUP BY ALL`;

export const publishedPeople = sql`(${selectPeople(sql`section_instructors`)})`;

export const people: Derivation<DerivedTable> = {
  name: "people",
  tables: ["section_instructors"],
  make: (pool, rows) => createTable(pool, selectPeople(rows("section_instructors"))),
};
