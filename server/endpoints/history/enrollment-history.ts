/** Daily enrollment of sections. */
import { nameKey } from "../../../pipeline/contract/name-key.ts";
import { allOf, sql, toConditions } from "../../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../../response/endpoint.ts";
import { jsonArray } from "../../response/json-array.ts";
import { originRows } from "../../response/origin.ts";
import type { Filters } from "../../response/params.ts";
import { enrollmentHistories } from "../../snapshot/tables/enrollment-history.ts";
import { textLine } from "../../snapshot/tables/expressions.ts";
import { sectionFilterParams, sectionTypeParam } from "../shared-params.ts";
import { historyOrigin } from "./history-origin.ts";
import { readHistories } from "./history-records.ts";

const params = {
  ...sectionFilterParams,
  sectionType: sectionTypeParam,
};

const filters: Filters<typeof params> = {
  year: (year) => sql`year = ${year}`,
  quarter: (quarter) => sql`quarter = ${quarter}`,
  instructor: (instructor) => sql`contains(names, ${textLine(nameKey(instructor))})`,
  department: (key) => sql`departmentKey = ${key}`,
  courseNumber: (number) => sql`courseNumberKey = lower(${number})`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  sectionType: (type) => sql`sectionType = ${type}`,
};

/** `"sectionCode":3450` → `"sectionCode":"03450"`; no text can come before it. */
const withTextCode = (section: string): string =>
  section.replace(/"sectionCode":(\d+)/, (_, code: string) => `"sectionCode":"${code.padStart(5, "0")}"`);

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
    const histories = await snapshot.derive(enrollmentHistories);
    const conditions = toConditions(filters, values);
    const [rowIds = new Int32Array()] = await pool.integers(
      sql`SELECT row_id FROM ${histories.from} WHERE ${allOf(conditions)} ORDER BY recordNumber`,
    );
    const toSection = compat ? withTextCode : (section: string) => section;
    return {
      total: rowIds.length,
      part: (from, to) => jsonArray(to - from, readHistories(pool, histories, rowIds.subarray(from, to), toSection)),
      relation: (from, to) =>
        originRows(snapshot.generation, historyOrigin(values, conditions, { offset: from, limit: to - from })),
    };
  },
  origin: (values, _context, page) => historyOrigin(values, toConditions(filters, values), page),
});
