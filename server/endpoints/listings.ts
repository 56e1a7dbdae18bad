/** Lists of departments and terms (server/RULES.md, HTTP and Schedule). */
import { QUARTER_LONG_NAMES, QUARTERS } from "../../pipeline/contract/vocabulary.ts";
import { constant, type Fragment, sql, textList } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listTexts } from "../response/list.ts";
import { inPage } from "../response/paging.ts";
import { shapeOf } from "../response/shapes/shape.ts";
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

/** In the order of quarters. */
const LONG_NAMES = textList(QUARTERS.map((quarter) => QUARTER_LONG_NAMES[quarter]));

const selectTerms = (terms: Fragment, grades: Fragment): Fragment =>
  sql`SELECT year || ' ' || quarter AS shortName,
      coalesce(max(longName), year || ' ' || list_extract(${LONG_NAMES}, ${constant(quarterRank)})) AS longName
    FROM (SELECT year, quarter, longName FROM ${terms} UNION ALL SELECT DISTINCT year, quarter, NULL FROM ${grades})
    GROUP BY year, quarter ORDER BY year DESC, ${constant(quarterRank)} DESC`;

/** Two columns of texts as JSON objects with these fields. */
const toObjects = ([first = [], second = []]: unknown[][], fields: readonly [string, string]): string[] =>
  first.map((value, i) => JSON.stringify({ [fields[0]]: value, [fields[1]]: second[i] }));

export const listingEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    path: "/schedule/depts",
    summary: "Departments: the search form's, and those that only grades know",
    title: () => "Departments",
    params: {},
    tables: ["departments", "grades"],
    products: ["schedule"],
    returns: shapeOf("Departments"),
    async answer(_values, { pool, snapshot: { tables } }) {
      const columns = await pool.columns(selectDepartments(tables.departments.from, tables.grades.from));
      return listTexts(toObjects(columns, ["deptLabel", "deptValue"]));
    },
    origin: (_values, _context, page) => ({
      reads: [{ table: "departments" }, { table: "grades" }],
      statement: sql`${selectDepartments(sql`departments`, sql`grades`)} ${inPage(page)}`,
    }),
  }),

  defineEndpoint({
    path: "/schedule/terms",
    summary: "Terms, most recent first: the search form's, and those that only grades know",
    title: () => "Terms",
    params: {},
    tables: ["terms", "grades"],
    products: ["schedule"],
    returns: shapeOf("Terms"),
    async answer(_values, { pool, snapshot: { tables } }) {
      const columns = await pool.columns(selectTerms(tables.terms.from, tables.grades.from));
      return listTexts(toObjects(columns, ["shortName", "longName"]));
    },
    origin: (_values, _context, page) => ({
      reads: [{ table: "terms" }, { table: "grades" }],
      statement: sql`${selectTerms(sql`terms`, sql`grades`)} ${inPage(page)}`,
    }),
  }),
];
