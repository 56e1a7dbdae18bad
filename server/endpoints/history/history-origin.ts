/** Enrollment histories as a statement over the published tables, for `explain=true`. */
import { SNAPSHOT_VALUES } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { Term } from "../../../pipeline/contract/vocabulary.ts";
import { constant, type Fragment, sql } from "../../duckdb/sql.ts";
import type { Page, PublishedOrigin } from "../../response/endpoint.ts";
import { inPage } from "../../response/paging.ts";
import { quarterRank } from "../../snapshot/tables/expressions.ts";
import { HISTORY_KEYS, SECTION_FIELDS } from "../../snapshot/tables/history-term.ts";
import { publishedWhere } from "../../snapshot/loading/published-rows.ts";
import { SERVED_AS } from "./history-records.ts";

const ORDER = constant(`ORDER BY year, ${quarterRank}, department, courseNumeric, courseNumber, sectionCode`);
const byDay = (value: string, served: string) => `list(${value} ORDER BY date) AS ${served}`;
const LISTS = constant(
  [byDay("date", "dates"), ...SNAPSHOT_VALUES.map((value) => byDay(value, SERVED_AS[value]))].join(", "),
);
const SERVED = constant(
  [
    ...SECTION_FIELDS.map((field) => (field === "sectionCode" ? "sectionCode::INTEGER AS sectionCode" : field)),
    "dates",
    ...Object.values(SERVED_AS),
  ].join(", "),
);

const HISTORY = { table: "enrollment_history", columns: HISTORY_KEYS } as const;

/** `conditions` are over the columns of filters. */
export function historyOrigin(
  { year, quarter }: Partial<Term>,
  conditions: readonly Fragment[],
  page: Page | undefined,
): PublishedOrigin {
  const term = { ...(year === undefined ? {} : { year }), ...(quarter === undefined ? {} : { quarter }) };
  const inTerm = [
    ...(year === undefined ? [] : [sql`year = ${year}`]),
    ...(quarter === undefined ? [] : [sql`quarter = ${quarter}`]),
  ];
  const sections = sql`SELECT * FROM ${publishedWhere(HISTORY, [...inTerm, ...conditions])} ${ORDER} ${inPage(page)}`;
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
      SELECT ${SERVED} FROM section JOIN history USING (year, quarter, sectionCode) ${ORDER}`,
  };
}
