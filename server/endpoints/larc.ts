/** Learning-assistance tutorials of a term (server/RULES.md, Tutorials and enrollment history). */
import { type Fragment, sql, where } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { listRecords, selectRows } from "../response/representations/json.ts";
import { required } from "../response/params.ts";
import { inPage } from "../response/paging.ts";
import { shapeOf } from "../response/shapes/shapes.ts";
import type { TermPart } from "../snapshot/generation.ts";
import { selectPublished } from "../snapshot/loading/loading.ts";
import { larcTable } from "../snapshot/tables/listings.ts";
import { titleOf } from "./filters.ts";
import { requiredQuarterParam, sharedFilters } from "./shared-filters.ts";

/** Selects a term; the ten-week summer session never has tutorials. */
const inTerm = ({ year = "", quarter = "Fall" }: TermPart): readonly Fragment[] => [
  sql`year = ${year}`,
  sql`quarter = ${quarter}`,
  sql`quarter <> 'Summer10wk'`,
];

export const larcEndpoint: Endpoint = defineEndpoint({
  path: "/larc",
  summary: "Tutorials of a term, by course",
  title: titleOf({ year: sharedFilters.year, quarter: sharedFilters.quarter }, "tutorials"),
  params: { year: required(sharedFilters.year.param), quarter: requiredQuarterParam },
  example: { year: "2026", quarter: "Fall" },
  tables: ["larc"],
  products: ["larc"],
  returns: shapeOf("Larc"),
  async answer(values, { pool, snapshot: { tables } }) {
    const { from, records } = tables.larc;
    return listRecords(await selectRows(pool, records, sql`FROM ${from} ${where(inTerm(values))}`));
  },
  statement(values, _context, page) {
    const statement = sql`${selectPublished(larcTable, inTerm(values))} ${inPage(page)}`;
    return {
      reads: [{ table: "larc", term: values }],
      select: statement,
      flat: sql`SELECT courseNumber, courseName, unnest(sections, max_depth := 2) FROM (${statement})`,
    };
  },
});
