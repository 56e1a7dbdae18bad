/** Instructors: faculty lists and the directory, joined with what our own sections and grades say they taught. */
import { z } from "zod";
import { defineTable, type RowOf } from "./table.ts";

const directoryShape = {
  netid: z.string(),
  name: z.string(),
  shortenedName: z.string(),
  title: z.string(),
  email: z.string(),
  department: z.string(),
  schools: z.array(z.string()),
  relatedDepartments: z.array(z.string()),
};

/** What the faculty lists and the directory say. */
export const directoryInstructors = defineTable({
  name: "directory_instructors",
  about: "one row a person, as the faculty lists and the directory have it",
  row: z.object(directoryShape),
  partitionedBy: [],
  sortedBy: ["netid"],
  key: ["netid"],
});
export type DirectoryInstructor = RowOf<typeof directoryInstructors>;

export const instructors = defineTable({
  name: "instructors",
  about: "one row a person; courseHistory maps `<department> <number>` to the terms in which it was taught",
  row: z.object({ ...directoryShape, courseHistory: z.record(z.string(), z.array(z.string())) }),
  partitionedBy: [],
  sortedBy: ["netid"],
  key: ["netid"],
});
export type Instructor = RowOf<typeof instructors>;
