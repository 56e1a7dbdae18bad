/** A section's enrolment history for tests: periods of days on which it stayed as it was. */
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../../pipeline/contract/rows/enrollment-history.ts";

/** What a section is called. */
export function historyRow(sectionCode: string): EnrollmentHistory {
  return {
    year: "2019",
    quarter: "Fall",
    sectionCode,
    department: "DANCE",
    courseNumber: "10",
    courseNumeric: 10,
    sectionType: "Lec",
    sectionNum: "A",
    units: "4",
    instructors: ["AMBERLEY, R."],
    meetings: [{ days: "MWF", time: "9:00- 9:50", bldg: ["ALP 2300"] }],
    finalExam: "Mon, Dec 9, 8:00-10:00am",
    imported: false,
  };
}

/** Its periods, each within one month: first day, last day, and how many were enrolled. */
export function periodRows(
  sectionCode: string,
  periods: readonly (readonly [first: string, last: string, totalEnrolled: string])[],
): EnrollmentPeriod[] {
  return periods.map(([first, last, totalEnrolled]) => ({
    year: "2019",
    quarter: "Fall",
    month: first.slice(0, 7),
    sectionCode,
    first,
    last,
    maxCapacity: "30",
    totalEnrolled,
    waitlist: "n/a",
    waitlistCap: "",
    requested: "0",
    newOnlyReserved: "",
    status: "OPEN",
    imported: false,
  }));
}
