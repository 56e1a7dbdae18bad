/** A section's enrolment history for tests: periods of days on which it stayed as it was. */
import type { EnrollmentHistory } from "../../../pipeline/contract/enrollment-history.ts";

/** Each period is its first day, its last day and how many were enrolled. */
export function historyRow(
  sectionCode: string,
  periods: readonly (readonly [first: string, last: string, totalEnrolled: string])[],
): EnrollmentHistory {
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
    periods: periods.map(([first, last, totalEnrolled]) => ({
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
    })),
  };
}
