/** Learning-assistance tutorials of a term; the ten-week summer session never has any (server/RULES.md, Tutorials and enrollment history). */
import { sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listRows, selectRowIds } from "../response/list.ts";
import { required } from "../response/params.ts";
import { inPage } from "../response/paging.ts";
import { shapeOf } from "../response/shapes/shapes.ts";
import { selectPublished } from "../snapshot/loading/loading.ts";
import { larcTable } from "../snapshot/tables/listings.ts";
import { titleOf } from "./filters.ts";
import { requiredQuarterParam, sharedFilters } from "./shared-filters.ts";

export const larcEndpoint: Endpoint = defineEndpoint({
  path: "/larc",
  summary: "Tutorials of a term, by course",
  title: titleOf({ year: sharedFilters.year, quarter: sharedFilters.quarter }, "tutorials"),
  params: { year: required(sharedFilters.year.param), quarter: requiredQuarterParam },
  example: { year: "2026", quarter: "Fall" },
  tables: ["larc"],
  products: ["larc"],
  returns: shapeOf("Larc"),
  async answer({ year = "", quarter = "" }, { pool, snapshot: { tables } }) {
    const rowIds =
      quarter === "Summer10wk"
        ? new Int32Array()
        : await selectRowIds(
            pool,
            sql`SELECT row_id FROM ${tables.larc.from} WHERE year = ${year} AND quarter = ${quarter}`,
          );
    return listRows(tables.larc.jsonRows.entry, rowIds);
  },
  origin({ year = "", quarter = "Fall" }, _context, page) {
    const inTerm = [sql`year = ${year}`, sql`quarter = ${quarter}`, sql`quarter <> 'Summer10wk'`];
    const statement = sql`${selectPublished(larcTable, inTerm)} ${inPage(page)}`;
    return {
      reads: [{ table: "larc", term: { year, quarter } }],
      statement,
      flat: sql`SELECT courseNumber, courseName, unnest(sections, max_depth := 2) FROM (${statement})`,
    };
  },
});
