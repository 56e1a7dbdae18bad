/** Seats, students and waitlists as numbers, which the schedule writes as text: as they are, and day by day. */
import {
  enrollmentHistory,
  enrollmentPeriods,
  SNAPSHOT_VALUES,
  type SnapshotValue,
} from "../rows/enrollment-history.ts";
import { sections } from "../rows/section.ts";
import { descriptionsOf, type View } from "./view.ts";

/** The names of the numbers: the same in both views, and other ones than those of the schedule's texts. */
const NUMBERS = {
  capacity: "maxCapacity",
  enrolled: "totalEnrolled",
  waiting: "waitlist",
  waitlistSeats: "waitlistCap",
  requests: "requested",
  newOnlySeats: "newOnlyReserved",
} as const satisfies Record<string, SnapshotValue>;

const NUMBER_TEXTS: Readonly<Record<keyof typeof NUMBERS, string>> = {
  capacity: "seats; NULL where the schedule has no number",
  enrolled: "students enrolled, in all cross-listed sections together; NULL where the schedule has no number",
  waiting: "students on the waitlist; NULL where the schedule has no number, such as `n/a`",
  waitlistSeats: "seats of the waitlist; NULL where the schedule has no number",
  requests: "how often it was asked for; NULL where the schedule has no number",
  newOnlySeats: "seats kept for new students; NULL where the schedule has no number",
};

/** Where a section has a snapshot's value. */
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

export const seats: View = {
  name: "seats",
  about: "one row a section of a term, with its numbers as integers; NULL where the schedule has none, such as `n/a`",
  tables: [sections.name],
  select: `SELECT year, quarter, sectionCode, deptCode AS department, courseNumber, courseNumeric, sectionType, sectionNum,
    ${numbers((value) => OF_SECTION[value])}, TRY_CAST(numOnWaitlist AS INTEGER) AS waitlist, status, cancelled FROM ${sections.name}`,
  descriptions: {
    ...descriptionsOf(sections),
    ...NUMBER_TEXTS,
    waitlist: "`waiting` by its older name",
  },
};

/** Expands each period into one row for each day. */
export const enrollmentDays: View = {
  name: "enrollment_days",
  about:
    "one row a section and day on which a snapshot was taken, with what the section is: the schedule's texts, and their numbers as in `seats`",
  tables: [enrollmentPeriods.name, enrollmentHistory.name],
  select: `SELECT year, quarter, sectionCode, department, courseNumber, courseNumeric, sectionType, sectionNum, units, instructors,
    p.first + unnest(range(p.last - p.first + 1))::INTEGER AS date, ${SNAPSHOT_VALUES.map((name) => `p.${name}`).join(", ")}, p.imported,
    ${numbers((value) => `p.${value}`)}
    FROM ${enrollmentPeriods.name} p JOIN ${enrollmentHistory.name} h USING (year, quarter, sectionCode)`,
  descriptions: {
    ...descriptionsOf(enrollmentHistory),
    ...descriptionsOf(enrollmentPeriods),
    ...NUMBER_TEXTS,
    date: "the day of the snapshot",
  },
};
