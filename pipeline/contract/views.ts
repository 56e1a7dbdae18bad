/** SQL views over the published tables, and second names of columns. */
import { describedColumns } from "./descriptions.ts";
import { enrollmentHistory, enrollmentPeriods, SNAPSHOT_VALUES } from "./rows/enrollment-history.ts";
import { headings, sections } from "./rows/section.ts";
import { quoteIdentifier } from "./sql-text.ts";
import type { Table } from "./table.ts";

export interface View {
  readonly name: string;
  readonly about: string;
  /** The tables of the contract that it reads. */
  readonly tables: readonly string[];
  /** A SELECT over them by their names. */
  readonly select: string;
  /** By column. */
  readonly descriptions: Readonly<Record<string, string>>;
}

/** By table and column: a second name for one that SQL reserves. */
export const COLUMN_ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  changes: { at: "changedAt" },
};

/** What follows `SELECT *`: the columns of a table under their second names. */
export const aliasColumns = (table: string): string =>
  Object.entries(COLUMN_ALIASES[table] ?? {})
    .map(([column, alias]) => `, ${quoteIdentifier(column)} AS ${quoteIdentifier(alias)}`)
    .join("");

const descriptionsOf = (table: Table): Record<string, string> =>
  Object.fromEntries(describedColumns(table).map(({ name, description }) => [name, description]));

/** Expands each period into one row for each day. */
const enrollmentDays: View = {
  name: "enrollment_days",
  about: "one row a section and day on which a snapshot was taken, with what the section is",
  tables: [enrollmentPeriods.name, enrollmentHistory.name],
  select: `SELECT year, quarter, sectionCode, department, courseNumber, courseNumeric, sectionType, sectionNum, units, instructors,
    p.first + unnest(range(p.last - p.first + 1))::INTEGER AS date, ${SNAPSHOT_VALUES.map((name) => `p.${name}`).join(", ")}, p.imported
    FROM ${enrollmentPeriods.name} p JOIN ${enrollmentHistory.name} h USING (year, quarter, sectionCode)`,
  descriptions: {
    ...descriptionsOf(enrollmentHistory),
    ...descriptionsOf(enrollmentPeriods),
    date: "the day of the snapshot",
  },
};

/** The numbers of a section, which the schedule writes as text. */
const seats: View = {
  name: "seats",
  about: "one row a section of a term, with its numbers as integers; NULL where the schedule has none, such as `n/a`",
  select: `SELECT year, quarter, sectionCode, deptCode AS department, courseNumber, sectionType, sectionNum,
    TRY_CAST(maxCapacity AS INTEGER) AS capacity, TRY_CAST(numCurrentlyEnrolled.totalEnrolled AS INTEGER) AS enrolled,
    TRY_CAST(numOnWaitlist AS INTEGER) AS waitlist, cancelled FROM ${sections.name}`,
  tables: ["sections"],
  descriptions: {
    ...descriptionsOf(sections),
    department: "department code, such as `COMPSCI` or `I&C SCI`",
    capacity: "seats; NULL where the schedule has no number",
    enrolled: "students enrolled, in all cross-listed sections together; NULL where the schedule has no number",
    waitlist: "students on the waitlist; NULL where the schedule has no number, such as `n/a`",
  },
};

const SCHOOL = "year, quarter, schoolName";
const DEPARTMENT = `${SCHOOL}, deptCode`;
const COURSE = `${DEPARTMENT}, courseNumber, courseTitle`;
/** Of a course that which its first section with any has. */
const firstOf = (column: string): string =>
  `coalesce(arg_min(${column}, sectionCode) FILTER (${column} <> ''), '') AS ${column}`;

/** What `/schedule` answers. It passes on what else a relation named `sections` has. */
export const scheduleView: View = {
  name: "schedule",
  about: "one row a section of a term, with the comments that stand above it: its school's, department's and course's",
  tables: [sections.name, headings.name],
  select: `SELECT section.* REPLACE (course.courseComment AS courseComment, course.prerequisiteLink AS prerequisiteLink),
    coalesce(school.schoolComment, '') AS schoolComment,
    coalesce(heading.deptName, deptCode) AS deptName, coalesce(heading.deptComment, '') AS deptComment,
    coalesce(heading.sectionCodeRangeComments, []) AS sectionCodeRangeComments,
    coalesce(heading.courseNumberRangeComments, []) AS courseNumberRangeComments
    FROM ${sections.name} section
    JOIN (SELECT ${COURSE}, ${firstOf("courseComment")}, ${firstOf("prerequisiteLink")}
      FROM ${sections.name} GROUP BY ${COURSE}) course USING (${COURSE})
    LEFT JOIN ${headings.name} heading USING (${DEPARTMENT})
    LEFT JOIN (SELECT ${SCHOOL}, max(schoolComment) AS schoolComment FROM ${headings.name} GROUP BY ${SCHOOL}) school
      USING (${SCHOOL})`,
  descriptions: {
    ...descriptionsOf(headings),
    ...descriptionsOf(sections),
    courseComment: "comment on the course, of its first section that has one; may hold HTML; empty when there is none",
    prerequisiteLink: "address of the registrar's page on the course's prerequisites; empty when there is none",
  },
};

export const VIEWS: readonly View[] = [enrollmentDays, seats, scheduleView];
