/** Daily enrollment of sections (specification §9, behaviour §6). */
import { nameKey, nameKeySql } from "../../pipeline/contract/name-key.ts";
import { constant, sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type Filters, toConditions } from "../response/endpoint.ts";
import { historyOrigin } from "./history-origin.ts";
import { listHistory } from "./history-records.ts";
import {
  courseNumberParam,
  departmentParam,
  instructorParam,
  quarterParam,
  sectionCodeParam,
  sectionTypeParam,
  yearParam,
} from "./shared-params.ts";

const params = {
  year: yearParam,
  quarter: quarterParam,
  instructor: instructorParam,
  department: departmentParam,
  courseNumber: courseNumberParam,
  sectionCode: sectionCodeParam,
  sectionType: sectionTypeParam,
};

const filters: Filters<typeof params> = {
  // They select files instead of rows.
  year: null,
  quarter: null,
  instructor: (instructor) =>
    sql`list_contains(list_transform(instructors, lambda name: ${constant(nameKeySql("name"))}), ${nameKey(instructor)})`,
  department: (key) => sql`upper(replace(department, ' ', '')) = ${key}`,
  courseNumber: (number) => sql`lower(courseNumber) = lower(${number})`,
  sectionCode: (code) => sql`sectionCode = ${code}`,
  sectionType: (type) => sql`sectionType = ${type}`,
};

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
  answer: (values, { pool, snapshot: { generation }, compat }) =>
    listHistory(pool, generation, values, toConditions(filters, values), compat ? "text" : "number"),
  origin: (values, _context, page) => historyOrigin(values, toConditions(filters, values), page),
});
