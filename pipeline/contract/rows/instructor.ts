/**
 * Instructors: faculty lists and the directory, joined with the courses that they taught according to sections and
 * grades.
 */
import { z } from "zod";
import { deptCode, shortenedName } from "./fields.ts";
import { EMAIL, formed, NETID, vocabulary } from "../forms.ts";
import { defineTable, type RowOf } from "../table.ts";

const directoryShape = {
  netid: formed(z.string(), NETID).describe("network id: the key of a person"),
  name: z.string().describe("full name"),
  shortenedName: shortenedName().describe(
    "name as the schedule writes it, `LASTNAME, F.`; several people may share one",
  ),
  title: z.string().describe("academic title; empty when unknown"),
  email: formed(z.string(), EMAIL).describe("address; empty when unknown"),
  department: z.string().describe("name of the department"),
  schools: z.array(vocabulary(z.string())).describe("names of schools"),
  relatedDepartments: z.array(vocabulary(deptCode())).describe("codes of departments in which the person teaches"),
};

/** Instructors from the faculty lists and the directory alone. */
export const directoryInstructors = defineTable({
  name: "directory_instructors",
  about: "one row per person, as the faculty lists and the directory have it",
  row: z.object(directoryShape),
  partitionedBy: [],
  sortedBy: ["netid"],
  key: ["netid"],
});
export type DirectoryInstructor = RowOf<typeof directoryInstructors>;

export const instructors = defineTable({
  name: "instructors",
  about: "one row per person; courseHistory maps `<department> <number>` to the terms in which it was taught",
  row: z.object({
    ...directoryShape,
    courseHistory: z
      .record(z.string(), z.array(z.string()))
      .describe("`<department code> <course number>` → the terms in which the person taught it, `<year> <quarter>`"),
  }),
  partitionedBy: [],
  sortedBy: ["netid"],
  key: ["netid"],
});
export type Instructor = RowOf<typeof instructors>;
