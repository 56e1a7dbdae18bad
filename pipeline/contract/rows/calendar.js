/** The academic calendar: when each term is in session and in finals; every bound is inclusive. */
import { z } from "zod";
import { quarter, year } from "./fields.ts";
import { day, defineTable } from "../table.ts";
export const calendar = defineTable({
    name: "calendar",
    about: "one row a term: first and last day of instruction and of finals",
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
