/** Seats, students and waitlists as numbers, which the schedule writes as text: current values, and day by day. */
import { z } from "zod";
import {
  enrollmentHistory,
  enrollmentPeriods,
  SNAPSHOT_VALUES,
  type SnapshotValue,
} from "../rows/enrollment-history.ts";
import { sections } from "../rows/section.ts";
import { day, fieldsOf, integer } from "../table.ts";
import { sectionFields } from "./section.ts";
import { defineView } from "./view.ts";

/** The names of the numbers: the same in both views, and different from those of the schedule's texts. */
const NUMBERS = {
  capacity: "maxCapacity",
  enrolled: "totalEnrolled",
  waiting: "waitlist",
  waitlistSeats: "waitlistCap",
  requests: "requested",
  newOnlySeats: "newOnlyReserved",
} as const satisfies Record<string, SnapshotValue>;

const number = (about: string) => integer().nullable().describe(`${about}; NULL where the schedule has no number`);
const numberFields: Readonly<Record<keyof typeof NUMBERS, ReturnType<typeof number>>> = {
  capacity: number("seats"),
  enrolled: number("students enrolled, in all cross-listed sections together"),
  waiting: number("students on the waitlist, which may be `n/a`"),
  waitlistSeats: number("seats of the waitlist"),
  requests: number("how often it was requested"),
  newOnlySeats: number("seats kept for new students"),
};

/** The column of a section for each value of a snapshot. */
const OF_SECTION: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "maxCapacity",
  totalEnrolled: "numCurrentlyEnrolled.totalEnrolled",
  waitlist: "numOnWaitlist",
  waitlistCap: "numWaitlistCap",
  requested: "numRequested",
  newOnlyReserved: "numNewOnlyReserved",
  status: "status",
};

const numbers = (column: (value: SnapshotValue) => string): string =>
  Object.entries(NUMBERS)
    .map(([name, value]) => `TRY_CAST(${column(value)} AS INTEGER) AS ${name}`)
    .join(", ");

const { cancelled, ...section } = sectionFields;
const SECTION = Object.keys(section).join(", ");

/** The schedule has a separate number for the section only if it is cross-listed. */
const OWN = ["sectionEnrolled", "totalEnrolled"].map((part) => `TRY_CAST(numCurrentlyEnrolled.${part} AS INTEGER)`);

export const seats = defineView({
  name: "seats",
  about:
    "one row per section of a term, with its numbers as integers; sum(sectionEnrolled) counts everybody once, sum(enrolled) once for each section of a cross-listed group",
  row: z.object({
    ...section,
    ...numberFields,
    sectionEnrolled: number("students enrolled in this section alone, which may be cross-listed"),
    waitlist: integer().nullable().describe("`waiting` by its older name"),
    status: sections.row.shape.status,
    cancelled,
  }),
  tables: [sections.name],
  partitionedBy: sections.partitionedBy,
  sortedBy: ["sectionCode"],
  key: sections.key,
  select: `SELECT ${SECTION.replace("department", "deptCode AS department")}, ${numbers((value) => OF_SECTION[value])},
    coalesce(${OWN.join(", ")}) AS sectionEnrolled, TRY_CAST(numOnWaitlist AS INTEGER) AS waitlist, status, cancelled FROM ${sections.name}`,
});

const days = {
  ...section,
  ...fieldsOf(enrollmentHistory.row.shape, ["units", "instructors"]),
  date: day().describe("the day of the snapshot"),
  ...fieldsOf(enrollmentPeriods.row.shape, [...SNAPSHOT_VALUES, "imported"]),
};

/** Expands each period into a row for each day. */
export const enrollmentDays = defineView({
  name: "enrollment_days",
  about:
    "one row per section and day on which a snapshot was taken, with what the section is: the schedule's texts, and their numbers as in `seats`; sum(enrolled) counts the students of a cross-listed group once for each of its sections",
  row: z.object({ ...days, ...numberFields }),
  tables: [enrollmentPeriods.name, enrollmentHistory.name],
  partitionedBy: enrollmentPeriods.partitionedBy,
  sortedBy: ["sectionCode", "date"],
  key: ["sectionCode", "date"],
  rowsPerGroup: 65_536,
  select: `SELECT ${SECTION}, units, instructors,
    p.first + unnest(range(p.last - p.first + 1))::INTEGER AS date, ${SNAPSHOT_VALUES.map((name) => `p.${name}`).join(", ")}, p.imported,
    ${numbers((value) => `p.${value}`)}
    FROM ${enrollmentPeriods.name} p JOIN ${enrollmentHistory.name} h USING (year, quarter, sectionCode)`,
});
