/** Daily enrollment of sections. */
import { sql, where } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/json-array.ts";
import { columnsOf } from "../../snapshot/loading/loading.ts";
import { enrollmentHistories, historyTable } from "../../snapshot/tables/enrollment-history.ts";
import { conditionsOf, filterOver, paramsOf } from "../filters.ts";
import { sectionFilters } from "../section-filters.ts";
import { sectionTypeParam } from "../shared-params.ts";
import { historyOrigin } from "./history-origin.ts";
import { readHistories } from "./history-records.ts";

const filters = {
  ...sectionFilters,
  sectionType: filterOver<keyof typeof historyTable.columns>()(
    sectionTypeParam,
    (type, c) => sql`${c.sectionType} = ${type}`,
    (type) => type,
  ),
};
const { loaded, published } = columnsOf(historyTable);

/** `"sectionCode":3450` → `"sectionCode":"03450"`; no text can come before it. */
const withTextCode = (section: string): string =>
  section.replace(/"sectionCode":(\d+)/, (_, code: string) => `"sectionCode":"${code.padStart(5, "0")}"`);

export const enrollmentHistoryEndpoint: Endpoint = defineEndpoint({
  path: "/enrollmentHistory",
  summary:
    "One record for each section that matches, by year, quarter, department, course and section code; one snapshot for each day on which it was seen",
  params: paramsOf(filters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["enrollment_history", "enrollment_periods"],
  products: ["enrollment"],
  returns: "EnrollmentHistory",
  streams: true,
  async answer(values, { pool, snapshot, compat }) {
    const histories = await snapshot.derive(enrollmentHistories);
    const conditions = conditionsOf(filters, values, loaded);
    const [rowIds = new Int32Array()] = await pool.integers(
      sql`SELECT row_id FROM ${histories.from} ${where(conditions)} ORDER BY recordNumber`,
    );
    const toSection = compat ? withTextCode : (section: string) => section;
    return {
      total: rowIds.length,
      part: (from, to) => jsonArray(to - from, readHistories(pool, histories, rowIds.subarray(from, to), toSection)),
    };
  },
  origin: (values, _context, page) => historyOrigin(values, conditionsOf(filters, values, published), page),
});
