/** Changes in the schedule of classes, recorded by the run that publishes them (pipeline/RULES.md, Snapshots). */
import { z } from "zod";
import { courseNumber, deptCode, quarter, sectionCode, shortenedNames, year } from "./fields.ts";
import { defineTable, instant, type RowOf } from "../table.ts";

export const CHANGE_KINDS = [
  "added",
  "removed",
  "cancelled",
  "reinstated",
  "status",
  "enrolled",
  "waitlist",
  "capacity",
  "instructors",
  "meetings",
  "final",
  "restrictions",
  "comment",
  "other",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * The kind of a change in a column of `sections`; all other columns are `other`, and `cancelled` has two separate
 * kinds.
 */
export const KIND_OF_FIELD: Readonly<Record<string, ChangeKind>> = {
  status: "status",
  "numCurrentlyEnrolled.totalEnrolled": "enrolled",
  "numCurrentlyEnrolled.sectionEnrolled": "enrolled",
  numOnWaitlist: "waitlist",
  numWaitlistCap: "waitlist",
  maxCapacity: "capacity",
  instructors: "instructors",
  meetings: "meetings",
  finalExam: "final",
  restrictions: "restrictions",
  sectionComment: "comment",
  courseComment: "comment",
};

/** The `field` of a section that was added or removed as a whole. */
export const WHOLE_SECTION = "section";

export const changes = defineTable({
  name: "changes",
  about: "one row per difference between two published versions of a section",
  row: z.object({
    year: year(),
    quarter: quarter(),
    /** The calendar month of `at` in UTC, `2024-09`. */
    month: z.string().describe("month of `at` in UTC, such as `2024-09`"),
    at: instant().describe("when the crawl of the new version began"),
    since: instant().describe("when the crawl of the old version began; nobody looked in between"),
    snapshot: z.string().describe("id of the snapshot that published it"),
    sectionCode: sectionCode(),
    department: deptCode(),
    courseNumber: courseNumber(),
    instructors: shortenedNames(),
    kind: z.enum(CHANGE_KINDS).describe("what kind of difference it is"),
    field: z.string().describe("column of `sections`, such as `maxCapacity` or `numCurrentlyEnrolled.totalEnrolled`"),
    before: z.string().nullable().describe("old value: text as it is, anything else as JSON; NULL where it was added"),
    after: z.string().nullable().describe("new value: text as it is, anything else as JSON; NULL where it was removed"),
  }),
  partitionedBy: ["year", "quarter", "month"],
  sortedBy: ["at", "sectionCode", "field"],
  key: ["at", "sectionCode", "field"],
});
export type Change = RowOf<typeof changes>;
