/** The academic calendar (server/RULES.md, Week): all terms with their dates, or the bounds of a single term. */
import { z } from "zod";
import { calendar, calendarDates } from "../../pipeline/contract/rows/calendar.ts";
import { constant, sql, where } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint } from "../response/endpoint.ts";
import { inPage } from "../response/paging.ts";
import { Problem } from "../response/problem.ts";
import { columnsOf } from "../snapshot/loading/loading.ts";
import { quarterRank } from "../snapshot/tables/expressions.ts";
import { calendarTable } from "../snapshot/tables/listings.ts";
import { conditionsOf, paramsOf, titleOf } from "./filters.ts";
import { sharedFilters } from "./shared-filters.ts";

const filters = { year: sharedFilters.year, quarter: sharedFilters.quarter };
const { published } = columnsOf(calendarTable);

const { year, quarter, ...bounds } = calendar.row.shape;
const { year: _year, quarter: _quarter, ...date } = calendarDates.row.shape;
const nullable = (day: z.ZodType<string>) =>
  day.nullable().describe(`${day.description}; null where only other dates of the term are known`);

const term = z.object({
  year,
  quarter,
  instructionStart: nullable(bounds.instructionStart),
  instructionEnd: nullable(bounds.instructionEnd),
  finalsStart: nullable(bounds.finalsStart),
  finalsEnd: nullable(bounds.finalsEnd),
  dates: z.array(z.object(date)).describe("holidays and all other dates of the term, by their first known day"),
});

const FALL = {
  ...{ instructionStart: "2026-09-24", instructionEnd: "2026-12-04" },
  ...{ finalsStart: "2026-12-05", finalsEnd: "2026-12-11" },
};
const THANKSGIVING = {
  ...{ event: "Thanksgiving Holiday", kind: "holiday" },
  ...{ firstDay: "2026-11-26", lastDay: "2026-11-27" },
};
const unknownTerm = (name: string) =>
  `The academic calendar has no ${name}. Without "year" all of its terms are listed.`;

export const calendarEndpoint: Endpoint = defineEndpoint({
  path: "/calendar",
  summary:
    "Terms with their first and last days and all other dates, newest first; with year and quarter one term's days",
  title: titleOf(filters, "terms of the academic calendar"),
  params: paramsOf(filters),
  example: { year: "2026" },
  tables: ["calendar", "calendar_dates"],
  products: ["calendar"],
  returns: {
    name: "Calendar",
    schema: z.array(term),
    example: [{ ...{ year: "2026", quarter: "Fall" }, ...FALL, dates: [THANKSGIVING] }],
  },
  single: {
    of: ["year", "quarter"],
    returns: { name: "TermDays", schema: z.object(bounds), example: FALL },
    unknown: unknownTerm("2036 Fall"),
  },
  statement(values, { snapshot }, page) {
    const terms = sql`SELECT year, quarter, instructionStart, instructionEnd, finalsStart, finalsEnd, coalesce(dates, []) AS dates
      FROM calendar FULL JOIN (
        SELECT year, quarter, list({event: event, kind: kind, firstDay: firstDay, lastDay: lastDay} ORDER BY coalesce(firstDay, lastDay), lastDay, event) AS dates
        FROM calendar_dates GROUP BY year, quarter
      ) USING (year, quarter)
      ${where(conditionsOf(filters, values, published))} ORDER BY year DESC, ${constant(quarterRank)} DESC ${inPage(page)}`;
    const reads = [{ table: "calendar" }, { table: "calendar_dates" }] as const;
    if (values.year === undefined || values.quarter === undefined) return { reads, select: terms };
    if (!snapshot.tables.calendar.dates.some((term) => term.year === values.year && term.quarter === values.quarter))
      throw new Problem(404, unknownTerm(`${values.year} ${values.quarter}`));
    const days = sql`SELECT instructionStart, instructionEnd, finalsStart, finalsEnd FROM calendar`;
    return { reads, select: sql`${days} ${where(conditionsOf(filters, values, published))}`, flat: terms };
  },
});
