/** Lists of departments and terms (server/RULES.md, HTTP and Schedule). */
import { QUARTER_LONG_NAMES, QUARTERS } from "../../pipeline/contract/vocabulary.ts";
import { constant, type Fragment, name, sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { inPage } from "../response/paging.ts";
import { shapeOf } from "../response/shapes/shapes.ts";
import { quarterRank } from "../snapshot/tables/expressions.ts";

const ALL_DEPARTMENTS = { deptLabel: "ALL: Include All Departments", deptValue: "ALL" };

const selectDepartments = (departments: Fragment, grades: Fragment): Fragment =>
  sql`SELECT deptLabel, deptValue FROM (
      SELECT 0 AS place, ${ALL_DEPARTMENTS.deptLabel} AS deptLabel, ${ALL_DEPARTMENTS.deptValue} AS deptValue
      UNION ALL
      SELECT 1, CASE WHEN max(name) = '' THEN code ELSE code || ': ' || max(name) END, code
      FROM (SELECT deptCode AS code, deptName AS name FROM ${departments} UNION ALL SELECT DISTINCT department, '' FROM ${grades})
      GROUP BY code
    ) ORDER BY place, deptValue`;

/** The names in the order of quarters. */
const LONG_NAMES = QUARTERS.map((quarter) => QUARTER_LONG_NAMES[quarter]);

const selectTerms = (terms: Fragment, grades: Fragment): Fragment =>
  sql`SELECT year || ' ' || quarter AS shortName,
      coalesce(max(longName), year || ' ' || list_extract(${LONG_NAMES}, ${constant(quarterRank)})) AS longName
    FROM (SELECT year, quarter, longName FROM ${terms} UNION ALL SELECT DISTINCT year, quarter, NULL FROM ${grades})
    GROUP BY year, quarter ORDER BY year DESC, ${constant(quarterRank)} DESC`;

/** @param select over the table and grades */
const listing = (
  table: "departments" | "terms",
  select: (listed: Fragment, grades: Fragment) => Fragment,
  about: Pick<Endpoint, "path" | "summary" | "title" | "returns">,
): Endpoint =>
  defineEndpoint({
    ...about,
    params: {},
    tables: [table, "grades"],
    products: ["schedule"],
    statement: (_values, { snapshot: { tables } }, page) => ({
      reads: [{ table }, { table: "grades" }],
      select: sql`${select(name(table), sql`grades`)} ${inPage(page)}`,
      loaded: () => select(tables[table].from, tables.grades.from),
    }),
  });

export const listingEndpoints: readonly Endpoint[] = [
  listing("departments", selectDepartments, {
    path: "/schedule/depts",
    summary: "Departments: the search form's, and those that only grades know",
    title: () => "Departments",
    returns: shapeOf("Departments"),
  }),
  listing("terms", selectTerms, {
    path: "/schedule/terms",
    summary: "Terms, most recent first: the search form's, and those that only grades know",
    title: () => "Terms",
    returns: shapeOf("Terms"),
  }),
];
