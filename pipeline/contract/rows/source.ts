/** The exports and crawls behind the published data (pipeline/RULES.md, Snapshots). */
import { z } from "zod";
import { defineTable, instant, integer, type RowOf } from "../table.ts";
import { QUARTERS } from "../vocabulary.ts";

export const sources = defineTable({
  name: "sources",
  about: "one row per export or crawl behind the published data",
  row: z.object({
    system: z.string().describe("system that it came from, such as `schedule` or `records`"),
    name: z.string().describe("address without its secrets, or name of the file"),
    tableName: z.string().describe("table that was made from it"),
    year: z.string().nullable().describe("term or year that it covers; NULL where it covers the whole table"),
    quarter: z.enum(QUARTERS).nullable().describe("quarter that it covers; NULL where it covers more than one"),
    sha256: z.string().describe("hash of the bytes that were received"),
    fetchedAt: instant().describe("when it was fetched, or the crawl began"),
    rows: integer().describe("rows that it delivered"),
  }),
  partitionedBy: [],
  sortedBy: ["system", "tableName", "year", "quarter", "name"],
  key: ["system", "tableName", "year", "quarter", "name"],
});
export type Source = RowOf<typeof sources>;
