/** Lists of departments and terms (behaviour §1 and §2). */
import { compareTerms, QUARTER_LONG_NAMES, type Quarter } from "../../pipeline/contract/vocabulary.ts";
import { sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listTexts } from "../response/list.ts";
import { quarterOf } from "../snapshot/tables/orders.ts";

const ALL_DEPARTMENTS = { deptLabel: "ALL: Include All Departments", deptValue: "ALL" };

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
  }),
];
