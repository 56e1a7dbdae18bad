/** The academic calendar: when each term is in session and in finals; every bound is inclusive. */
import { z } from "zod";
import { day, defineTable, type RowOf } from "./table.ts";
import { QUARTERS } from "./vocabulary.ts";

export const calendar = defineTable({
  name: "calendar",
  about: "one row a term: first and last day of instruction and of finals",
  row: z.object({
    year: z.string(),
    quarter: z.enum(QUARTERS),
    instructionStart: day(),
    instructionEnd: day(),
    finalsStart: day(),
    finalsEnd: day(),
  }),
  partitionedBy: [],
  sortedBy: ["instructionStart", "year", "quarter"],
  key: ["year", "quarter"],
});
export type TermDates = RowOf<typeof calendar>;
