/** The two lists whose path the specification does not show (behaviour §1 and §2). */
import { compareTerms, QUARTER_LONG_NAMES, type Quarter, QUARTERS } from "../../pipeline/contract/vocabulary.ts";
import { constant, sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listTexts } from "../response/list.ts";
import { departmentOption } from "../snapshot/tables/listings.ts";

const ALL_DEPARTMENTS = JSON.stringify({ deptLabel: "ALL: Include All Departments", deptValue: "ALL" });

export const listingEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    path: "/schedule/depts",
    summary: "Departments: the search form's, and those that only grades know",
    params: {},
    products: ["schedule"],
    returns: "Departments",
    async answer(_values, { pool, snapshot }) {
      const { departments, grades } = snapshot.tables;
      const [options = []] = await pool.columns(
        sql`SELECT (${constant(departmentOption)})::VARCHAR FROM (
            SELECT deptCode, deptName FROM ${departments.from}
            UNION ALL
            SELECT DISTINCT department, NULL FROM ${grades.from} WHERE department NOT IN (SELECT deptCode FROM ${departments.from})
          ) ORDER BY deptCode`,
      );
      return listTexts([ALL_DEPARTMENTS, ...(options as string[])]);
    },
  }),

  defineEndpoint({
    path: "/schedule/terms",
    summary: "Terms, most recent first: the search form's, and those that only grades know",
    params: {},
    products: ["schedule"],
    returns: "Terms",
    async answer(_values, { pool, snapshot }) {
      const { terms, grades } = snapshot.tables;
      const [years = [], quarters = [], names = []] = await pool.columns(
        sql`SELECT year, quarter, max(longName) FROM (
            SELECT year, quarter, longName FROM ${terms.from} UNION ALL SELECT DISTINCT year, quarter, NULL FROM ${grades.from}
          ) GROUP BY year, quarter`,
      );
      const options = (years as string[])
        .map((year, i) => ({ year, quarter: quarters[i] as Quarter, longName: names[i] as string | null }))
        .filter(({ quarter }) => QUARTERS.includes(quarter))
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
