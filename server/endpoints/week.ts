/** The academic week of a day, or of today on campus (server/RULES.md, Week). */
import { campusToday, isCalendarDate, nextDay, startOfCampusDay } from "../../pipeline/contract/campus-time.ts";
import { constant, sql } from "../duckdb/sql.ts";
import { defineEndpoint, type Endpoint, type Period } from "../response/endpoint.ts";
import { numberOf, type ValuesOf } from "../response/params.ts";
import { shapeOf } from "../response/shapes/shapes.ts";
import { quarterRank } from "../snapshot/tables/expressions.ts";
import { rowOf } from "../response/representations/layout.ts";
import { givenRows } from "../snapshot/loading/loading.ts";
import { weekOf } from "./academic-week.ts";
import { sharedFilters } from "./shared-filters.ts";

const TWO_DIGITS = /^\d{1,2}$/;

const params = {
  year: sharedFilters.year.param,
  month: numberOf("month, January = 1", TWO_DIGITS, "a month from 1 to 12", ["10"]),
  day: numberOf("day of the month", TWO_DIGITS, "a day of the month", ["5"]),
};
type Values = ValuesOf<typeof params>;
const PARTS = ["year", "month", "day"] as const;

/** Requires all three parameters or none, and an existing day. */
function check(values: Values, refused: ReadonlySet<string>): string[] {
  const missing = PARTS.filter((part) => values[part] === undefined && !refused.has(part));
  if (missing.length === PARTS.length) return [];
  if (missing.length > 0)
    return missing.map((part) => `Parameter "${part}" not provided: give all of year, month and day, or none of them`);
  if (refused.size > 0 || isCalendarDate(Number(values.year), values.month ?? 0, values.day ?? 0)) return [];
  return [`Invalid date provided: there is no day ${values.day} of month ${values.month} in ${values.year}`];
}

const twoDigits = (part = 0) => String(part).padStart(2, "0");
const dateOf = ({ year, month, day }: Values, now: Date): string =>
  year === undefined ? campusToday(now) : `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** Returns the period of a response: the response for today changes at midnight on campus. */
function periodOf(values: Values, now: Date): Period {
  const day = dateOf(values, now);
  return values.year === undefined
    ? { name: day, since: startOfCampusDay(day), until: startOfCampusDay(nextDay(day)) }
    : { name: day };
}

export const weekEndpoint: Endpoint = defineEndpoint({
  path: "/week",
  summary: "Week of instruction, terms in session or in finals, and a display text, for a day or for today",
  title: (values, { now }) => `The academic week of ${dateOf(values, now)}`,
  params,
  check,
  tables: ["calendar"],
  products: ["calendar"],
  returns: shapeOf("Week"),
  period: periodOf,
  answer(values, { snapshot, now }) {
    const week = weekOf(dateOf(values, now), snapshot.tables.calendar.dates);
    return Promise.resolve({ body: [Buffer.from(JSON.stringify(week))] });
  },
  /** Selects the terms in session or in finals; none during a break. */
  statement(values, { snapshot, now }) {
    const day = dateOf(values, now);
    const { weeks, quarters, display } = weekOf(day, snapshot.tables.calendar.dates);
    const date = sql`${day}::DATE`;
    return {
      flat: givenRows(
        rowOf(shapeOf("Week")),
        weeks.map((week, i) => ({ week, quarter: quarters[i], display })),
      ),
      reads: [{ table: "calendar" }],
      select: sql`SELECT * FROM calendar
        WHERE ${date} BETWEEN instructionStart AND instructionEnd OR ${date} BETWEEN finalsStart AND finalsEnd
        ORDER BY year, ${constant(quarterRank)}`,
    };
  },
});
