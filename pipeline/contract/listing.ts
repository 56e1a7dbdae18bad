/** The two lists of the schedule's search form. */
import { z } from "zod";
import { defineTable, type RowOf } from "./table.ts";
import { QUARTERS } from "./vocabulary.ts";

export const departments = defineTable({
  name: "departments",
  about: "one row a department of the search form",
  row: z.object({ deptCode: z.string(), deptName: z.string() }),
  partitionedBy: [],
  sortedBy: ["deptCode"],
  key: ["deptCode"],
});
export type Department = RowOf<typeof departments>;

export const terms = defineTable({
  name: "terms",
  about: "one row a term that the search form offers",
  row: z.object({ year: z.string(), quarter: z.enum(QUARTERS), longName: z.string() }),
  partitionedBy: [],
  sortedBy: ["year", "quarter"],
  key: ["year", "quarter"],
});
export type TermListing = RowOf<typeof terms>;
