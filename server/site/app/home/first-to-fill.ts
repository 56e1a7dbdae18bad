/** Which courses of a term filled first, from the recorded history of their sections with units. */
import type { ResponseBody } from "../data/response-body.ts";

export type RecordedStatus = Pick<
  ResponseBody<"EnrollmentHistory">[number],
  "department" | "courseNumber" | "units" | "dates" | "statusHistory"
>;
/** The fields of `/enrollmentHistory` that are needed. */
export const RECORDED_FIELDS = "department,courseNumber,units,dates,statusHistory";

export interface Filled {
  readonly department: string;
  readonly courseNumber: string;
  /** The first recorded day on which no section with units had a seat, `YYYY-MM-DD`. */
  readonly date: string;
  /** True if that is so on the last recorded day. */
  readonly isStillFull: boolean;
}

const FULL: ReadonlySet<string | undefined> = new Set(["FULL", "Waitl"]);

/** The status on a day, or on the last recorded day before it; undefined before the first. */
function statusOn({ dates, statusHistory }: RecordedStatus, date: string): string | undefined {
  return statusHistory[dates.findLastIndex((recorded) => recorded <= date)];
}

/** Undefined for a course that never filled, and for one that was full when it was first recorded. */
function filledOn(records: readonly RecordedStatus[]): Filled | undefined {
  const primary = records.filter(({ units }) => units !== "0");
  const [first] = primary;
  if (!first) return undefined;
  const dates = [...new Set(primary.flatMap((record) => record.dates))].toSorted();
  const isFull = dates.map((date) =>
    primary
      .map((record) => statusOn(record, date))
      .filter((status) => status !== undefined)
      .every((status) => FULL.has(status)),
  );
  const index = isFull.findIndex((value, i) => value && i > 0 && isFull[i - 1] === false);
  const date = dates[index];
  if (date === undefined) return undefined;
  const { department, courseNumber } = first;
  return { department, courseNumber, date, isStillFull: isFull.at(-1) ?? false };
}

/**
 * Returns courses by the day on which they filled, earliest first.
 * @param held names of courses with a section that is not cancelled: the recorded status of a cancelled one means
 * nothing
 */
export function firstToFill(records: readonly RecordedStatus[], held: ReadonlySet<string>): Filled[] {
  const courses = new Map<string, RecordedStatus[]>();
  for (const record of records) {
    const name = `${record.department} ${record.courseNumber}`;
    if (!held.has(name)) continue;
    courses.set(name, [...(courses.get(name) ?? []), record]);
  }
  return [...courses.values()]
    .flatMap((all) => filledOn(all) ?? [])
    .toSorted((a, b) => a.date.localeCompare(b.date) || a.department.localeCompare(b.department));
}
