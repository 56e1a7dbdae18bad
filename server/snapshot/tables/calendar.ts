/** The academic calendar in memory. */
import type { Loading } from "../loading.ts";

export const calendarTable: Loading<never> = {
  table: "calendar",
  columns: [
    "year",
    "quarter",
    "instructionStart::VARCHAR AS instructionStart",
    "instructionEnd::VARCHAR AS instructionEnd",
    "finalsStart::VARCHAR AS finalsStart",
    "finalsEnd::VARCHAR AS finalsEnd",
  ],
  orderBy: "instructionStart, year, quarter",
  jsonColumns: {},
};
