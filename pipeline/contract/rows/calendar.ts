/** The academic calendar: when each term is in session and in finals, and its other dates; every bound is inclusive. */
import { z } from "zod";
import { vocabulary } from "../forms.ts";
import { quarter, year } from "./fields.ts";
import { day, defineTable, type RowOf } from "../table.ts";

export const calendar = defineTable({
  name: "calendar",
  about: "one row per term: first and last day of instruction and of finals",
  row: z.object({
    year: year(),
    quarter: quarter(),
    instructionStart: day().describe("first day of instruction"),
    instructionEnd: day().describe("last day of instruction"),
    finalsStart: day().describe("first day of finals"),
    finalsEnd: day().describe("last day of finals"),
  }),
  partitionedBy: [],
  sortedBy: ["instructionStart", "year", "quarter"],
  key: ["year", "quarter"],
});
export type TermDates = RowOf<typeof calendar>;

export const EVENT_KINDS = ["holiday", "enrollment", "schedule", "deadline", "term", "other"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const calendarDates = defineTable({
  name: "calendar_dates",
  about: "one row per date of the academic calendar besides those of `calendar`: holidays, enrollment, deadlines",
  row: z.object({
    year: year(),
    quarter: quarter(),
    event: z.string().describe("the line of the registrar's calendar, such as `Thanksgiving Holiday`"),
    kind: vocabulary(z.enum(EVENT_KINDS), { nothing: ["other"] }).describe(
      "what the line is about, by its words: `holiday` (days without classes, recesses and breaks included), `enrollment`, `schedule` (of classes), `deadline`, `term` (begins or ends) or `other`",
    ),
    firstDay: day().nullable().describe("the day, or the first of several; NULL where only the last is known"),
    lastDay: day()
      .nullable()
      .describe("the last day, the same as `firstDay` where it is one day; NULL where only the first is known"),
  }),
  partitionedBy: [],
  sortedBy: ["firstDay", "year", "quarter", "event"],
  key: ["year", "quarter", "event", "firstDay", "lastDay"],
});
export type CalendarDate = RowOf<typeof calendarDates>;
