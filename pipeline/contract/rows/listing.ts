/** The two lists of the schedule's search form. */
import { z } from "zod";
import { deptCode, quarter, year } from "./fields.ts";
import { defineTable, integer, type RowOf } from "../table.ts";

export const departments = defineTable({
  name: "departments",
  about: "one row per department of the search form",
  row: z.object({ deptCode: deptCode(), deptName: z.string().describe("name of the department") }),
  partitionedBy: [],
  sortedBy: ["deptCode"],
  key: ["deptCode"],
});
export type Department = RowOf<typeof departments>;

export const terms = defineTable({
  name: "terms",
  about: "one row per term that the search form offers",
  row: z.object({
    year: year(),
    quarter: quarter(),
    longName: z.string().describe("name for people, such as `2026 Fall Quarter`"),
    ordinal: integer().describe("to sort terms by: year and place of the quarter in it, such as `20266` for 2026 Fall"),
  }),
  partitionedBy: [],
  sortedBy: ["ordinal"],
  key: ["year", "quarter"],
});
/** A term as the form lists it. */
export type ListedTerm = Omit<RowOf<typeof terms>, "ordinal">;
