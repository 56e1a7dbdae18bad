/** The academic calendar: weeks of terms, holidays, dates of registration. */
import { z } from "zod";
import { calendar, calendarDates } from "../rows/calendar.ts";
import { quarter, year } from "../rows/fields.ts";
import { day, integer } from "../table.ts";
import { defineView } from "./view.ts";

/**
 * The Monday of week 1: of the week in which instruction begins, or of the next week when it begins on a Thursday or
 * later (server/RULES.md, Week).
 */
const WEEK_ONE = `instructionStart - isodow(instructionStart)::INTEGER + CASE WHEN isodow(instructionStart) >= 4 THEN 8 ELSE 1 END`;
const FIRST = "least(instructionStart, finalsStart)";
const LAST = "greatest(instructionEnd, finalsEnd)";

const { event, firstDay, lastDay } = calendarDates.row.shape;
const date = () => day().describe("the day");
export const weekday = () => integer().describe("1 = Monday to 7 = Sunday");

/** Follows `/week`, except that finals, which have no number, are -1 there. */
export const weekOfTerm = defineView({
  name: "week_of_term",
  about: "one row per term and day on which it is in session or in finals, with the week of instruction",
  row: z.object({
    year: year(),
    quarter: quarter(),
    date: date(),
    weekday: weekday(),
    week: integer().nullable().describe("week of instruction, from 1 on; NULL in finals"),
    isFinals: z.boolean().describe("true for a day of finals, also where instruction has not ended"),
  }),
  tables: [calendar.name],
  partitionedBy: [],
  sortedBy: ["date", "year", "quarter"],
  key: ["year", "quarter", "date"],
  select: `SELECT year, quarter, date, isodow(date)::INTEGER AS weekday,
    CASE WHEN NOT isFinals THEN greatest(1, (date - weekOne) // 7 + 1)::INTEGER END AS week, isFinals
    FROM (SELECT year, quarter, date, instructionStart, instructionEnd, weekOne, date BETWEEN finalsStart AND finalsEnd AS isFinals
      FROM (SELECT year, quarter, instructionStart, instructionEnd, finalsStart, finalsEnd, ${WEEK_ONE} AS weekOne,
        ${FIRST} + unnest(range(${LAST} - ${FIRST} + 1))::INTEGER AS date FROM ${calendar.name}))
    WHERE isFinals OR date BETWEEN instructionStart AND instructionEnd`,
});

export const holidays = defineView({
  name: "holidays",
  about:
    "one row per term, holiday or break and known day of it, as the academic calendar names them; terms that overlap share holidays",
  row: z.object({
    year: year(),
    quarter: quarter(),
    date: date(),
    weekday: weekday(),
    event: z.string().describe("the holiday as the calendar names it"),
  }),
  tables: [calendarDates.name],
  partitionedBy: [],
  sortedBy: [],
  key: [],
  select: `SELECT year, quarter, date, isodow(date)::INTEGER AS weekday, event
    FROM (SELECT year, quarter, event, first + unnest(range(last - first + 1))::INTEGER AS date
      FROM (SELECT year, quarter, event, coalesce(firstDay, lastDay) AS first, coalesce(lastDay, firstDay) AS last
        FROM ${calendarDates.name} WHERE kind = 'holiday'))`,
});

const REGISTRATION_KINDS = ["schedule", "enrollment", "deadline"] as const;

export const registrationDates = defineView({
  name: "registration_dates",
  about:
    "one row per term and date that matters to whoever enrolls: the schedule is out, enrolment opens or closes, deadlines",
  row: z.object({
    year: year(),
    quarter: quarter(),
    kind: z.enum(REGISTRATION_KINDS).describe("`schedule` (of classes), `enrollment` or `deadline`"),
    event,
    firstDay,
    lastDay,
  }),
  tables: [calendarDates.name],
  partitionedBy: [],
  sortedBy: [],
  key: [],
  select: `SELECT year, quarter, kind, event, firstDay, lastDay FROM ${calendarDates.name}
    WHERE kind IN (${REGISTRATION_KINDS.map((kind) => `'${kind}'`).join(", ")})`,
});
