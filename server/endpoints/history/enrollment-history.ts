/** The daily enrollment of sections. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import { constant, sql, where } from "../../duckdb/sql.ts";
import {
  defineEndpoint,
  type Endpoint,
  type EndpointContext,
  type Statement,
  type Page,
} from "../../response/endpoint.ts";
import { jsonArray } from "../../response/representations/json.ts";
import { inPage } from "../../response/paging.ts";
import { shapeOf } from "../../response/shapes/shapes.ts";
import { OVER_FILES } from "../../duckdb/query.ts";
import { filesOf } from "../../snapshot/generation.ts";
import { columnsOf, rowsOf } from "../../snapshot/loading/loading.ts";
import {
  HISTORY_ORDER,
  historySections,
  historyTable,
  PUBLISHED_PLACE,
  SECTION_FIELDS,
} from "../../snapshot/tables/enrollment-history.ts";
import { conditionsOf, type FilterValues, paramsOf, titleOf } from "../filters.ts";
import { publishedPeople } from "../../snapshot/tables/people.ts";
import { loadedPeople, readsOfPeople } from "../instructor-ids.ts";
import { sectionFilters, sharedFilters } from "../shared-filters.ts";
import { HISTORIES, readHistories } from "./history-records.ts";
import type { Place } from "./history-sources.ts";

const filters = { ...sectionFilters, sectionType: sharedFilters.sectionType };
const { loaded, published } = columnsOf(historyTable);

const ORDER = constant(`ORDER BY ${HISTORY_ORDER}`);
const byDay = (value: string, served = `${value}History`) => `list(${value} ORDER BY date) AS ${served}`;
const LISTS = constant([byDay("date", "dates"), ...SNAPSHOT_VALUES.map((value) => byDay(value))].join(", "));
const SECTION = SECTION_FIELDS.map((field) =>
  field === "sectionCode" ? "sectionCode::INTEGER AS sectionCode" : field,
);
const RECORD = constant([...SECTION, "dates", ...HISTORIES].join(", "));
const VALUES = constant(SNAPSHOT_VALUES.join(", "));

function historyStatement(values: FilterValues<typeof filters>, page: Page | undefined): Statement {
  const term = { year: values.year, quarter: values.quarter };
  const conditions = conditionsOf(filters, values, { ...published, people: publishedPeople });
  const sections = sql`SELECT * FROM enrollment_history ${where(conditions)} ${ORDER} ${inPage(page)}`;
  return {
    // Every section has at least one day, so the count of sections is that of records.
    counted: sections,
    reads: [{ table: "enrollment_history", term }, { table: "enrollment_periods", term }, ...readsOfPeople(values)],
    select: sql`WITH section AS (${sections}),
      history AS (SELECT year, quarter, sectionCode, ${LISTS}
        FROM enrollment_days SEMI JOIN section USING (year, quarter, sectionCode) GROUP BY year, quarter, sectionCode)
      SELECT ${RECORD} FROM section JOIN history USING (year, quarter, sectionCode) ${ORDER}`,
    // This selects a row per section and day. Periods are sorted before they become days, because there are far fewer.
    flat: sql`WITH section AS (${sections})
      SELECT * REPLACE (sectionCode::INTEGER AS sectionCode), first + unnest(range(last - first + 1))::INTEGER AS date
      FROM (SELECT section.*, first, last, ${VALUES}
        FROM section JOIN enrollment_periods USING (year, quarter, sectionCode) ${ORDER}, first)`,
  };
}

/**
 * Finds the matching sections in the order of responses: in memory, or in the files while they are not loaded, as for
 * earlier snapshots.
 */
async function findPlaces(values: FilterValues<typeof filters>, context: EndpointContext): Promise<Place[]> {
  const { pool, snapshot } = context;
  const sections = snapshot.find(historySections);
  const peopleColumn = { people: await loadedPeople(values, context) };
  const term = { year: values.year, quarter: values.quarter };
  if (!sections && filesOf(snapshot.published, "enrollment_history", term).paths.length === 0) return [];
  const [terms = [], rows = [], codes = []] = sections
    ? await pool.integers(
        sql`SELECT term, row, code FROM ${sections.from}
          ${where(conditionsOf(filters, values, { ...loaded, ...peopleColumn }))} ORDER BY number`,
      )
    : await pool.integers(
        sql`SELECT ${PUBLISHED_PLACE} FROM ${rowsOf(snapshot.published, "enrollment_history", term)}
          ${where(conditionsOf(filters, values, { ...published, ...peopleColumn }))} ${ORDER}`,
        OVER_FILES,
      );
  return Array.from(terms, (term, i) => ({ term, row: rows[i] as number, code: codes[i] as number }));
}

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
  async answer(values, context) {
    const places = await findPlaces(values, context);
    return {
      total: places.length,
      part: (from, to) => jsonArray(to - from, readHistories(context, places.slice(from, to))),
    };
  },
  statement: (values, _context, page) => historyStatement(values, page),
});
