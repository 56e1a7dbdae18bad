/** How enrolment in a section went, day by day, as the hourly runs saw it or as an operator's files tell it. */
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
import { day, defineTable, integer, type RowOf } from "./table.ts";
import { QUARTERS } from "./vocabulary.ts";

/** What a snapshot says, in the order in which it is served; each is the schedule's own text, `""` where it gives none. */
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

const values = Object.fromEntries(SNAPSHOT_VALUES.map((name) => [name, z.string()])) as Record<
  SnapshotValue,
  z.ZodString
>;

/** A meeting in words: `days` is `""` and `time` is `TBA` when the time is TBA. */
export const meetingText = z.object({
  days: z.string().describe("days run together, such as `TuTh`; empty when the time is to be announced"),
  time: z.string().describe("from and to, such as `10:00-10:50`, or `TBA`"),
  bldg: z.array(z.string()).describe("building and room, such as `ALP 2300`"),
});
export type MeetingText = z.infer<typeof meetingText>;

/** What a section is: always as it was last seen. */
const described = {
  department: deptCode(),
  courseNumber: courseNumber(),
  courseNumeric: courseNumeric(),
  sectionType: sectionType(),
  sectionNum: sectionNum(),
  units: units(),
  instructors: shortenedNames(),
  meetings: z.array(meetingText),
  finalExam: z.string().describe("such as `Mon, Dec 5, 8:00-10:00am`, `TBA`, or empty"),
};

/** The columns that say what a section is, but for its term and code. */
export const DESCRIBED_COLUMNS = Object.keys(described) as (keyof typeof described)[];

/** What each section is; what was seen of it, day by day, is in `enrollment_periods`. */
export const enrollmentHistory = defineTable({
  name: "enrollment_history",
  about: "one row a section that was ever seen in a term, as it was last seen",
  row: z.object({
    year: year(),
    quarter: quarter(),
    sectionCode: sectionCode(),
    ...described,
    /** True where only operators' files tell of it: no run of our own ever saw it. */
    imported: z.boolean(),
  }),
  partitionedBy: ["year", "quarter"],
  sortedBy: ["department", "courseNumeric", "courseNumber", "sectionCode"],
  key: ["sectionCode"],
  rowsPerGroup: 2048,
});
export type EnrollmentHistory = RowOf<typeof enrollmentHistory>;

/**
 * What was seen of a section: days on end of one month, both included, on each of which a snapshot was taken and all said the same. A day between two
 * periods has no snapshot: an honest gap. Two periods of a month that could be one are one, so that equal snapshots are stored in one way only.
 * A file holds a month, so that however long a term is, an hour writes no more than a month. It is sorted by code: a department's codes are neighbours,
 * and unlike its name they never change, so that a file does not depend on when it was written.
 */
export const enrollmentPeriods = defineTable({
  name: "enrollment_periods",
  about: "one row a section and period of a month in which its enrolment stayed as it was",
  row: z.object({
    year: z.string(),
    quarter: z.enum(QUARTERS),
    /** The calendar month, `2024-09`. */
    month: z.string(),
    sectionCode: z.string(),
    first: day(),
    last: day(),
    ...values,
    /** True when an operator's file says so, false when a run of our own saw it. */
    imported: z.boolean(),
  }),
  partitionedBy: ["year", "quarter", "month"],
  sortedBy: ["sectionCode", "first"],
  key: ["sectionCode", "first"],
  // Measured: what a reader spends on a file's groups counts for more than the rows it has to skip.
  rowsPerGroup: 65_536,
});
export type EnrollmentPeriod = RowOf<typeof enrollmentPeriods>;

/** The files that an operator's history came from; it stands beside the history, so that what is known to be imported is imported. */
export const enrollmentImports = defineTable({
  name: "enrollment_imports",
  about: "one row a file of data/enrollment/ whose snapshots are in enrollment_history",
  row: z.object({
    file: z.string(),
    sha256: z.string(),
    /** Snapshots that could be read, and rows that could not. */
    snapshots: integer(),
    refused: integer(),
  }),
  partitionedBy: [],
  sortedBy: ["file"],
  key: ["file"],
});
export type EnrollmentImport = RowOf<typeof enrollmentImports>;

/** What a row of an operator's file says of its section; null where it says nothing. */
export const importedSectionFields = z.object(
  Object.fromEntries(Object.entries(described).map(([name, schema]) => [name, schema.nullable()])) as {
    [K in keyof typeof described]: z.ZodNullable<(typeof described)[K]>;
  },
);

/** One row of an operator's file: one section on one day. */
export const importedSnapshots = defineTable({
  name: "imported_snapshots",
  about: "one row a section and day of an operator's file",
  row: z.object({
    /** The place among all rows of the run: of two rows for one section and day the later one counts. */
    place: integer(),
    year: z.string(),
    quarter: z.enum(QUARTERS),
    sectionCode: z.string(),
    date: day(),
    ...values,
  }),
  partitionedBy: [],
  sortedBy: [],
  key: [],
});
export type ImportedSnapshot = RowOf<typeof importedSnapshots> & z.infer<typeof importedSectionFields>;
