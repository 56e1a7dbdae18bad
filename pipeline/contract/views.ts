/** SQL views over the published tables. */
import { enrollmentHistory, enrollmentPeriods, SNAPSHOT_VALUES } from "./enrollment-history.ts";

export interface View {
  readonly name: string;
  readonly about: string;
  /** The tables of the contract that it reads. */
  readonly tables: readonly string[];
  /** A SELECT over them by their names. */
  readonly select: string;
}

/** Expands each period into one row for each day. */
const enrollmentDays: View = {
  name: "enrollment_days",
  about: "one row a section and day on which a snapshot was taken, with what the section is",
  tables: [enrollmentPeriods.name, enrollmentHistory.name],
  select: `SELECT year, quarter, sectionCode, department, courseNumber, courseNumeric, sectionType, sectionNum, units, instructors,
    p.first + unnest(range(p.last - p.first + 1))::INTEGER AS date, ${SNAPSHOT_VALUES.map((name) => `p.${name}`).join(", ")}, p.imported
    FROM ${enrollmentPeriods.name} p JOIN ${enrollmentHistory.name} h USING (year, quarter, sectionCode)`,
};

export const VIEWS: readonly View[] = [enrollmentDays];
