/** Learning-assistance (LARC) tutorials: a row per course of a term. */
import { z } from "zod";
import { quarter, year } from "./fields.ts";
import { formed, TIME_RANGE, WEEK_DAYS } from "../forms.ts";
import { defineTable, type RowOf } from "../table.ts";

export const larc = defineTable({
  name: "larc",
  about: "one row per course with tutorials in a term",
  row: z.object({
    year: year(),
    quarter: quarter(),
    courseNumber: z.string().describe("department code and course number, such as `MATH 2A`"),
    courseName: z.string().describe("name of the course"),
    sections: z
      .array(
        z.object({
          day: formed(z.string(), WEEK_DAYS).describe("days run together, such as `MW`"),
          time: formed(z.string(), TIME_RANGE).describe("from and to, such as `9:00-9:50a`"),
          instructor: z.string().describe("the tutor's full name"),
          building: z.string().describe("where it takes place"),
        }),
      )
      .describe("the tutorials of the course"),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["courseNumber", "courseName"],
  key: ["courseNumber", "courseName"],
});
export type LarcCourse = RowOf<typeof larc>;
