/** Lists of departments and terms (server/RULES.md, HTTP and Schedule). */
import { compareTerms, QUARTER_LONG_NAMES, QUARTERS, type Quarter } from "../../pipeline/contract/vocabulary.ts";
import { constant, sql, textList } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listTexts } from "../response/list.ts";
import { inPage } from "../response/paging.ts";
import { quarterOf, quarterRank } from "../snapshot/tables/expressions.ts";

const ALL_DEPARTMENTS = { deptLabel: "ALL: Include All Departments", deptValue: "ALL" };

/** In the order of quarters. */
const LONG_NAMES = textList(QUARTERS.map((quarter) => QUARTER_LONG_NAMES[quarter]));

export const listingEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    path: "/schedule/depts",
    summary: "Departments: the search form's, and those that only grades know",
    params: {},
    tables: ["departments", "grades"],
    products: ["schedule"],
    returns: "Departments",
    async answer(_values, { pool, snapshot }) {
      const { departments, grades } = snapshot.tables;
      const [codes = [], names = []] = await pool.columns(sql`SELECT deptCode, deptName FROM ${departments.from}`);
      const all = new Map(grades.texts.department.map((code) => [JSON.parse(code) as string, ""]));
      for (const [i, code] of codes.entries()) all.set(code as string, names[i] as string);
      const options = [...all]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([deptValue, name]) => ({ deptLabel: name === "" ? deptValue : `${deptValue}: ${name}`, deptValue }));
      return listTexts([ALL_DEPARTMENTS, ...options].map((option) => JSON.stringify(option)));
    },
    origin: (_values, _context, page) => ({
      reads: [{ table: "departments" }, { table: "grades" }],
      statement: sql`SELECT deptLabel, deptValue FROM (
          SELECT 0 AS place, ${ALL_DEPARTMENTS.deptLabel} AS deptLabel, ${ALL_DEPARTMENTS.deptValue} AS deptValue
          UNION ALL
          SELECT 1, CASE WHEN max(name) = '' THEN code ELSE code || ': ' || max(name) END, code
          FROM (SELECT deptCode AS code, deptName AS name FROM departments UNION ALL SELECT DISTINCT department, '' FROM grades)
          GROUP BY code
        ) ORDER BY place, deptValue ${inPage(page)}`,
    }),
  }),

  defineEndpoint({
    path: "/schedule/terms",
    summary: "Terms, most recent first: the search form's, and those that only grades know",
    params: {},
    tables: ["terms", "grades"],
    products: ["schedule"],
    returns: "Terms",
    async answer(_values, { pool, snapshot }) {
      const { terms, grades } = snapshot.tables;
      const [years = [], quarters = [], names = []] = await pool.columns(
        sql`SELECT year, quarter, max(longName) FROM (
            SELECT year, quarter, longName FROM ${terms.from}
            UNION ALL SELECT DISTINCT year::VARCHAR, ${quarterOf}, NULL FROM ${grades.from}
          ) GROUP BY year, quarter`,
      );
      const options = (years as string[])
        .map((year, i) => ({ year, quarter: quarters[i] as Quarter, longName: names[i] as string | null }))
        .sort((a, b) => compareTerms(b, a))
        .map(({ year, quarter, longName }) =>
          JSON.stringify({
            shortName: `${year} ${quarter}`,
            longName: longName ?? `${year} ${QUARTER_LONG_NAMES[quarter]}`,
          }),
        );
      return listTexts(options);
    },
    origin: (_values, _context, page) => ({
      reads: [{ table: "terms" }, { table: "grades" }],
      statement: sql`SELECT year || ' ' || quarter AS shortName,
          coalesce(max(longName), year || ' ' || list_extract(${LONG_NAMES}, ${constant(quarterRank)})) AS longName
        FROM (SELECT year, quarter, longName FROM terms UNION ALL SELECT DISTINCT year, quarter, NULL FROM grades)
        GROUP BY year, quarter ORDER BY year DESC, ${constant(quarterRank)} DESC ${inPage(page)}`,
    }),
  }),
];
