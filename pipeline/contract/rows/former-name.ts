/** Renamed courses, from the registrar's prerequisite pages. */
import { z } from "zod";
import { defineTable, type RowOf } from "../table.ts";
import { courses } from "./course.ts";

export const formerNames = defineTable({
  name: "former_names",
  about:
    "one row per course and name that it had before; its sections and grades of that time stand under the former name",
  row: z.object({
    courseId: courses.row.shape.id.describe("`courses.id` of the course under its name of today, such as `SWE43`"),
    formerId: z.string().describe("the id that it had before, such as `IN4MATX43`"),
    since: z
      .string()
      .nullable()
      .describe("first term of the new name, `<year> <quarter>`; NULL where the registrar does not say it"),
  }),
  partitionedBy: [],
  sortedBy: ["courseId", "formerId"],
  key: ["courseId", "formerId"],
});
export type FormerName = RowOf<typeof formerNames>;
