/** The academic calendar: weeks of terms, holidays, dates of registration. */
import { calendar, calendarDates } from "../rows/calendar.ts";
import { descriptionsOf, type View } from "./view.ts";

/** The Monday of week 1: of the week in which instruction begins, or of the next one when it begins on a Thursday or later (server/RULES.md, Week). */
const WEEK_ONE = `instructionStart - isodow(instructionStart)::INTEGER + CASE WHEN isodow(instructionStart) >= 4 THEN 8 ELSE 1 END`;
const FIRST = "least(instructionStart, finalsStart)";
const LAST = "greatest(instructionEnd, finalsEnd)";

/** As `/week` has it, but that finals have no number: there it is -1. */
export const weekOfTerm: View = {
  name: "week_of_term",
  about: "one row a term and day on which it is in session or in finals, with the week of instruction",
  tables: [calendar.name],
  select: `SELECT year, quarter, date, isodow(date)::INTEGER AS weekday,
    CASE WHEN NOT isFinals THEN greatest(1, (date - weekOne) // 7 + 1)::INTEGER END AS week, isFinals
    FROM (SELECT year, quarter, date, instructionStart, instructionEnd, weekOne, date BETWEEN finalsStart AND finalsEnd AS isFinals
      FROM (SELECT year, quarter, instructionStart, instructionEnd, finalsStart, finalsEnd, ${WEEK_ONE} AS weekOne,
        ${FIRST} + unnest(range(${LAST} - ${FIRST} + 1))::INTEGER AS date FROM ${calendar.name}))
    WHERE isFinals OR date BETWEEN instructionStart AND instructionEnd`,
  descriptions: {
    ...descriptionsOf(calendar),
    date: "the day",
    weekday: "1 = Monday to 7 = Sunday",
    week: "week of instruction, from 1 on; NULL in finals",
    isFinals: "true for a day of finals, also where instruction has not ended",
  },
};

export const holidays: View = {
  name: "holidays",
  about:
    "one row a term, holiday or break and known day of it, as the academic calendar names them; terms that overlap share holidays",
  tables: [calendarDates.name],
  select: `SELECT year, quarter, date, isodow(date)::INTEGER AS weekday, event
    FROM (SELECT year, quarter, event, first + unnest(range(last - first + 1))::INTEGER AS date
      FROM (SELECT year, quarter, event, coalesce(firstDay, lastDay) AS first, coalesce(lastDay, firstDay) AS last
        FROM ${calendarDates.name} WHERE kind = 'holiday'))`,
  descriptions: {
    ...descriptionsOf(calendarDates),
    date: "the day",
    weekday: "1 = Monday to 7 = Sunday",
    event: "the holiday as the calendar names it",
  },
};

export const registrationDates: View = {
  name: "registration_dates",
  about:
    "one row a term and date that matters to whoever enrolls: the schedule is out, enrolment opens or closes, deadlines",
  tables: [calendarDates.name],
  select: `SELECT year, quarter, kind, event, firstDay, lastDay FROM ${calendarDates.name}
    WHERE kind IN ('schedule', 'enrollment', 'deadline')`,
  descriptions: { ...descriptionsOf(calendarDates), kind: "`schedule` (of classes), `enrollment` or `deadline`" },
};
