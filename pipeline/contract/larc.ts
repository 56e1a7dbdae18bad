/** Learning-assistance (LARC) tutorials: one row a course of a term. */
import { z } from "zod";
import { defineTable, type RowOf } from "./table.ts";
import { QUARTERS } from "./vocabulary.ts";

export const larc = defineTable({
  name: "larc",
  about: "one row a course with tutorials in a term",
  row: z.object({
    year: z.string(),
    quarter: z.enum(QUARTERS),
    courseNumber: z.string(),
    courseName: z.string(),
    sections: z.array(z.object({ day: z.string(), time: z.string(), instructor: z.string(), building: z.string() })),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["courseNumber", "courseName"],
  key: ["courseNumber", "courseName"],
});
export type LarcCourse = RowOf<typeof larc>;
