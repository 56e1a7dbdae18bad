/**
 * Maps names of instructors in a department to people, in memory; also used for sections that the upstream has just
 * returned.
 */
import { nameKeySql } from "../../../pipeline/contract/name-key.ts";
import { LOADING } from "../../duckdb/query.ts";
import { constant, type Fragment, name, sql } from "../../duckdb/sql.ts";
import type { Derivation, DerivedTable } from "../loading/derived.ts";

export const keyOfDepartment = (department: string): string => `upper(replace(${department}, ' ', ''))`;

/** Selects a row per department and name: `ofDepartment` and `named` are keys, `netids` ascending. */
const selectPeople = (sectionInstructors: Fragment): Fragment =>
  sql`SELECT ${constant(keyOfDepartment("department"))} AS ofDepartment, ${constant(nameKeySql("name"))} AS named,
    list_sort(list_distinct(list(netid))) AS netids FROM ${sectionInstructors} WHERE netid IS NOT NULL GROUP BY ALL`;

export const publishedPeople = sql`(${selectPeople(sql`section_instructors`)})`;

let loads = 0;

export const people: Derivation<DerivedTable> = {
  name: "people",
  tables: ["section_instructors"],
  async make(pool, rows) {
    const from = name(`people_${++loads}`);
    await pool.columns(sql`CREATE TABLE ${from} AS ${selectPeople(rows("section_instructors"))}`, LOADING);
    return { from, drop: async () => void (await pool.columns(sql`DROP TABLE IF EXISTS ${from}`, LOADING)) };
  },
};
