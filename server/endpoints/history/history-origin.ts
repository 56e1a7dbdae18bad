/** Enrollment histories as statements over the published tables, for `explain=true` and for files in other formats. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { constant, type Fragment, sql, where } from "../../duckdb/sql.ts";
import type { Origin, Page } from "../../response/endpoint.ts";
import { inPage } from "../../response/paging.ts";
import { HISTORY_ORDER, SECTION_FIELDS } from "../../snapshot/tables/enrollment-history.ts";
import { SERVED_AS } from "./history-records.ts";

const ORDER = constant(`ORDER BY ${HISTORY_ORDER}`);
const byDay = (value: string, served: string) => `list(${value} ORDER BY date) AS ${served}`;
const LISTS = constant(
  [byDay("date", "dates"), ...SNAPSHOT_VALUES.map((value) => byDay(value, SERVED_AS[value]))].join(", "),
);
const SECTION = SECTION_FIELDS.map((field) =>
  field === "sectionCode" ? "sectionCode::INTEGER AS sectionCode" : field,
);
const RECORD = constant([...SECTION, "dates", ...Object.values(SERVED_AS)].join(", "));
const VALUES = constant(SNAPSHOT_VALUES.join(", "));

/** `conditions` are over the published columns. */
export function historyOrigin(
  { year, quarter }: Partial<Term>,
  conditions: readonly Fragment[],
  page: Page | undefined,
): Origin {
  const term = { ...(year === undefined ? {} : { year }), ...(quarter === undefined ? {} : { quarter }) };
  const sections = sql`SELECT * FROM enrollment_history ${where(conditions)} ${ORDER} ${inPage(page)}`;
  return {
    // Every section has at least one day.
    counted: sections,
    reads: [
      { table: "enrollment_history", term },
      { table: "enrollment_periods", term },
    ],
    statement: sql`WITH section AS (${sections}),
      history AS (SELECT year, quarter, sectionCode, ${LISTS}
        FROM enrollment_days SEMI JOIN section USING (year, quarter, sectionCode) GROUP BY year, quarter, sectionCode)
      SELECT ${RECORD} FROM section JOIN history USING (year, quarter, sectionCode) ${ORDER}`,
    // A row for each section and day. Periods are put in order before they become days: they are far fewer.
    flat: sql`WITH section AS (${sections})
      SELECT * REPLACE (sectionCode::INTEGER AS sectionCode), first + unnest(range(last - first + 1))::INTEGER AS date
      FROM (SELECT section.*, first, last, ${VALUES}
        FROM section JOIN enrollment_periods USING (year, quarter, sectionCode) ${ORDER}, first)`,
  };
}
