/** Enrolment in a section day by day, recorded by the hourly runs or imported from an operator's files. */
import { z } from "zod";
import {
  courseNumber,
  courseNumeric,
  deptCode,
  quarter,
  sectionCode,
  sectionNum,
  sectionType,
  shortenedNames,
  units,
  year,
} from "./fields.ts";
import { day, defineTable, integer, type RowOf } from "../table.ts";

/** The values of a snapshot in the order in which they are served; each is the schedule's text, `""` when absent. */
export const SNAPSHOT_VALUES = [
  "maxCapacity",
  "totalEnrolled",
  "waitlist",
  "waitlistCap",
  "requested",
  "newOnlyReserved",
  "status",
] as const;
export type SnapshotValue = (typeof SNAPSHOT_VALUES)[number];

const VALUE_TEXTS: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "seats, a number as text",
  totalEnrolled: "students enrolled, in all cross-listed sections together",
  waitlist: "students on the waitlist; empty when there is none",
  waitlistCap: "seats of the waitlist; empty when there is none",
  requested: "how often it was requested",
  newOnlyReserved: "seats kept for new students; empty when there are none",
  status: "the schedule's own text: `OPEN`, `Waitl`, `FULL` or `NewOnly`",
};

const values = Object.fromEntries(
  SNAPSHOT_VALUES.map((name) => [name, z.string().describe(VALUE_TEXTS[name])]),
) as Record<SnapshotValue, z.ZodString>;

/** A meeting as text: `days` is `""` and `time` is `TBA` when the time is TBA. */
export const meetingText = z.object({
  days: z.string().describe("days run together, such as `TuTh`; empty when the time is to be announced"),
  time: z.string().describe("from and to, such as `10:00-10:50`, or `TBA`"),
  bldg: z.array(z.string()).describe("building and room, such as `ALP 2300`"),
});
export type MeetingText = z.infer<typeof meetingText>;

/** The properties of a section, as last seen. */
const described = {
  department: deptCode(),
  courseNumber: courseNumber(),
  courseNumeric: courseNumeric(),
  sectionType: sectionType(),
  sectionNum: sectionNum(),
  units: units(),
  instructors: shortenedNames(),
  meetings: z.array(meetingText).describe("where and when it meets"),
  finalExam: z.string().describe("such as `Mon, Dec 5, 8:00-10:00am`, `TBA`, or empty"),
};

export const DESCRIBED_COLUMNS = Object.keys(described) as (keyof typeof described)[];

export const enrollmentHistory = defineTable({
  name: "enrollment_history",
  about: "one row per section that was ever seen in a term, as it was last seen",
  row: z.object({
    year: year(),
    quarter: quarter(),
    sectionCode: sectionCode(),
    ...described,
    imported: z.boolean().describe("true when the section is in imported files only: no run recorded it"),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["department", "courseNumeric", "courseNumber", "sectionCode"],
  key: ["sectionCode"],
  rowsPerGroup: 2048,
});
export type EnrollmentHistory = RowOf<typeof enrollmentHistory>;

/**
 * Run-length encoded snapshots: consecutive days of a month, both bounds inclusive, with equal snapshots. A day between
 * two periods has no snapshot. Adjacent equal periods of a month are always merged, so that equal snapshots have a
 * single representation. A file per month bounds the amount that an hourly run rewrites. Files are sorted by section
 * code: a department's codes are adjacent, and unlike its name they never change.
 */
export const enrollmentPeriods = defineTable({
  name: "enrollment_periods",
  about: "one row per section and period of a month in which its enrolment stayed as it was",
  row: z.object({
    year: year(),
    quarter: quarter(),
    month: z.string().describe("calendar month, such as `2024-09`"),
    sectionCode: sectionCode(),
    first: day().describe("first day of the period"),
    last: day().describe("last day of the period"),
    ...values,
    imported: z.boolean().describe("true when imported from a file, false when recorded by a run"),
  }),
  partitionedBy: ["year", "quarter", "month"],
  sortedBy: ["sectionCode", "first"],
  key: ["sectionCode", "first"],
  // Measurements show that more row groups cost a reader more than skipping rows saves.
  rowsPerGroup: 65_536,
});
export type EnrollmentPeriod = RowOf<typeof enrollmentPeriods>;

/** The imported files, published with the history so that both always agree. */
export const enrollmentImports = defineTable({
  name: "enrollment_imports",
  about: "one row per file of data/enrollment/ whose snapshots are in enrollment_history",
  row: z.object({
    file: z.string().describe("name of the file"),
    sha256: z.string().describe("hash of the file"),
    snapshots: integer().describe("valid snapshots in it"),
    refused: integer().describe("rejected rows"),
  }),
  partitionedBy: [],
  sortedBy: ["file"],
  key: ["file"],
});
export type EnrollmentImport = RowOf<typeof enrollmentImports>;

/** The section's properties in a row of an imported file; null when absent. */
export const importedSectionFields = z.object(
  Object.fromEntries(Object.entries(described).map(([name, schema]) => [name, schema.nullable()])) as {
    [K in keyof typeof described]: z.ZodNullable<(typeof described)[K]>;
  },
);

/** A section's day in an operator's file. */
export type ImportedSnapshot = Pick<EnrollmentPeriod, "year" | "quarter" | "sectionCode" | SnapshotValue> & {
  /** `YYYY-MM-DD`. */
  readonly date: string;
} & z.infer<typeof importedSectionFields>;
