/** Daily enrollment of sections. */
import { sql } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type Page } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/json-array.ts";
import { originRows } from "../../response/origin.ts";
import { shapeOf } from "../../response/shapes/shape.ts";
import { columnsOf } from "../../snapshot/loading/loading.ts";
import { where } from "../../snapshot/loading/published-rows.ts";
import { enrollmentHistories, historyTable } from "../../snapshot/tables/enrollment-history.ts";
import { conditionsOf, type FilterValues, paramsOf, titleOf } from "../filters.ts";
import { sectionFilters, sharedFilters } from "../shared-filters.ts";
import { historyOrigin } from "./history-origin.ts";
import { readHistories } from "./history-records.ts";

const filters = { ...sectionFilters, sectionType: sharedFilters.sectionType };
const { loaded, published } = columnsOf(historyTable);

const originOf = (values: FilterValues<typeof filters>, page: Page | undefined) =>
  historyOrigin(values, conditionsOf(filters, values, published), page);

/** `"sectionCode":3450` → `"sectionCode":"03450"`; no text can come before it. */
const withTextCode = (section: string): string =>
  section.replace(/"sectionCode":(\d+)/, (_, code: string) => `"sectionCode":"${code.padStart(5, "0")}"`);

export const enrollmentHistoryEndpoint: Endpoint = defineEndpoint({
  path: "/enrollmentHistory",
  summary:
    "One record for each section that matches, by year, quarter, department, course and section code; one snapshot for each day on which it was seen",
  title: titleOf(filters, "sections", "enrollment history of"),
  params: paramsOf(filters),
  example: { year: "2026", quarter: "Fall", department: "COMPSCI" },
  tables: ["enrollment_history", "enrollment_periods"],
  products: ["enrollment"],
  returns: shapeOf("EnrollmentHistory"),
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
      relation: (from, to) => originRows(snapshot.generation, originOf(values, { offset: from, limit: to - from })),
    };
  },
  origin: (values, _context, page) => originOf(values, page),
});
