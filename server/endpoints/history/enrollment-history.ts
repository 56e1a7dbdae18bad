/** Daily enrollment of sections (specification §9, behaviour §6). */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { allOf, type Fragment, sql, toConditions } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type List } from "../../response/endpoint.ts";
import type { Filters } from "../../response/params.ts";
import { selectRowIds } from "../../snapshot/loading/row-ids.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { textLine } from "../../snapshot/tables/expressions.ts";
import { historyOrigin } from "./history-origin.ts";
import { daysOfRows, listHistory } from "./history-records.ts";
import { readLoadedHistory } from "./loaded-history.ts";
import { sectionFilterParams, sectionTypeParam } from "../shared-params.ts";

const params = {
  ...sectionFilterParams,
  sectionType: sectionTypeParam,
};

const filters: Filters<typeof params> = {
  // They select files instead of rows.
  year: null,
  quarter: null,
  instructor: (instructor) => sql`contains(names, ${textLine(nameKey(instructor))})`,
  department: (key) => sql`departmentKey = ${key}`,
  courseNumber: (number) => sql`courseNumberKey = lower(${number})`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  sectionType: (type) => sql`sectionType = ${type}`,
};

/** More records than these are streamed from the files. */
const MAX_LOADED_ROWS = 200;

/** The records of a term that is in memory; undefined when it is not, or they are many. */
async function listLoaded(
  pool: Pool,
  { generation, withHistory }: Snapshot,
  term: Term,
  conditions: Fragment,
): Promise<List | undefined> {
  const rowIds = await withHistory(term, ({ from }) =>
    selectRowIds(pool, sql`SELECT row_id FROM ${from} WHERE ${conditions}`),
  );
  if (!rowIds || rowIds.length > MAX_LOADED_ROWS) return undefined;
  return {
    total: rowIds.length,
    part: async (from, to) =>
      (await withHistory(term, (loaded) => readLoadedHistory(pool, loaded, rowIds.subarray(from, to)))) ?? [],
    relation: (from, to) => daysOfRows(generation, term, rowIds.subarray(from, to)),
  };
}

export const enrollmentHistoryEndpoint: Endpoint = defineEndpoint({
  path: "/enrollmentHistory",
  summary:
    "One record for each section that matches, by year, quarter, department, course and section code; one snapshot for each day on which it was seen",
  params,
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["enrollment_history", "enrollment_periods"],
  products: ["enrollment"],
  returns: "EnrollmentHistory",
  streams: true,
  async answer(values, { pool, snapshot, compat }) {
    const conditions = toConditions(filters, values);
    const { year, quarter } = values;
    if (year !== undefined && quarter !== undefined && conditions.length > 0 && !compat) {
      const loaded = await listLoaded(pool, snapshot, { year, quarter }, allOf(conditions));
      if (loaded) return loaded;
    }
    return listHistory(pool, snapshot.generation, values, conditions, compat ? "text" : "number");
  },
  origin: (values, _context, page) => historyOrigin(values, toConditions(filters, values), page),
});
