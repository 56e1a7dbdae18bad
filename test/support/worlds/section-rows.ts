/** Rows of the schedule for tests: an everyday section, and the headings that a list of sections needs. */
import type { Heading, Meeting, Section } from "../../../pipeline/contract/rows/section.ts";
import { courseDigits } from "../../../pipeline/contract/vocabulary.ts";

/**
 * An ordinary lecture of 2024 Fall, with the differences in `change`. The digits of a changed course number follow it.
 */
export function sectionRow(change: Partial<Section> = {}): Section {
  const row: Section = {
    year: "2024",
    quarter: "Fall",
    schoolName: "School of Arts",
    deptCode: "DANCE",
    courseNumber: "10",
    courseNumeric: 10,
    courseTitle: "MOVEMENT",
    courseComment: "",
    prerequisiteLink: "",
    sectionCode: "10000",
    sectionType: "Lec",
    sectionNum: "A",
    units: "4",
    instructors: ["AMBERLEY, R."],
    meetings: [meeting("MWF", "10:00", "10:50", "ALP 2300")],
    finalExam: {
      examStatus: "NO_FINAL",
      dayOfWeek: null,
      month: null,
      day: null,
      startTime: null,
      endTime: null,
      bldg: null,
    },
    maxCapacity: "30",
    numCurrentlyEnrolled: { totalEnrolled: "12", sectionEnrolled: "" },
    numOnWaitlist: "",
    numWaitlistCap: "",
    numRequested: "12",
    numNewOnlyReserved: "",
    restrictions: "A",
    status: "OPEN",
    sectionComment: "",
    cancelled: false,
    geCategories: [],
    ...change,
  };
  return { ...row, courseNumeric: courseDigits(row.courseNumber) };
}

/** A meeting; without times it is TBA. */
export function meeting(days: string | null, start?: string, end?: string, ...bldg: string[]): Meeting {
  const clock = (text: string) => {
    const [hour = 0, minute = 0] = text.split(":").map(Number);
    return { hour, minute };
  };
  if (start === undefined || end === undefined)
    return { timeIsTBA: true, bldg, days: null, startTime: null, endTime: null };
  return { timeIsTBA: false, bldg, days, startTime: clock(start), endTime: clock(end) };
}

/** `places` of a meeting whose time is to be announced. */
export const tba = (...places: string[]): Meeting => meeting(null, undefined, undefined, ...places);

/** A heading for each school and department of the sections, whose comments name it. */
export function headingsOf(sections: readonly Section[]): Heading[] {
  const headings: Heading[] = [];
  for (const { year, quarter, schoolName, deptCode } of sections) {
    const isSame = (h: Heading) =>
      h.year === year && h.quarter === quarter && h.schoolName === schoolName && h.deptCode === deptCode;
    if (headings.some(isSame)) continue;
    headings.push({
      year,
      quarter,
      schoolName,
      schoolComment: `comment of ${schoolName}`,
      deptCode,
      deptName: `Department of ${deptCode}`,
      deptComment: `comment of ${deptCode}`,
      sectionCodeRangeComments: [],
      courseNumberRangeComments: [],
    });
  }
  return headings;
}
