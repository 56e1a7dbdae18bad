/**
 * The columns of the enrollment history as SQL over a row of `sections`, in the schedule's notation. Uses SQL because
 * every run derives them for thousands of sections.
 */
import type { DESCRIBED_COLUMNS, SnapshotValue } from "../../contract/rows/enrollment-history.ts";
import { MONTHS } from "../../contract/vocabulary.ts";

/** 12-hour clock: 0 → 12, 25 → 1. */
const hourOf = (time: string) => `((${time}.hour + 11) % 12 + 1)`;
const minuteOf = (time: string) => `lpad(${time}.minute::VARCHAR, 2, '0')`;
const isAfternoon = (time: string) => `${time}.hour % 24 >= 12`;

/** `8:00- 8:50`, `10:00-10:50`, `3:30- 4:50p`: the end's hour is padded, and only the end has the afternoon mark. */
const meetingTime = (m: string) => `
  CASE WHEN ${m}.timeIsTBA THEN 'TBA' ELSE
    ${hourOf(`${m}.startTime`)} || ':' || ${minuteOf(`${m}.startTime`)} || '-' ||
    lpad(${hourOf(`${m}.endTime`)}::VARCHAR, 2, ' ') || ':' || ${minuteOf(`${m}.endTime`)} ||
    CASE WHEN ${isAfternoon(`${m}.endTime`)} THEN 'p' ELSE '' END
  END`;

const meetingTexts = `list_transform(meetings, lambda m: {
  'days': CASE WHEN m.timeIsTBA THEN '' ELSE coalesce(m.days, '') END, 'time': ${meetingTime("m")}, 'bldg': m.bldg })`;

/** `Mon, Dec 5, 8:00-10:00am`; `TBA` when not scheduled yet, `""` without a final. */
const finalExamText = `
  CASE finalExam.examStatus WHEN 'NO_FINAL' THEN '' WHEN 'TBA_FINAL' THEN 'TBA' ELSE
    coalesce(finalExam.dayOfWeek || ', ', '') ||
    [${MONTHS.map((month) => `'${month}'`).join(", ")}][finalExam.month + 1] || ' ' || finalExam.day || ', ' ||
    ${hourOf("finalExam.startTime")} || ':' || ${minuteOf("finalExam.startTime")} || '-' ||
    ${hourOf("finalExam.endTime")} || ':' || ${minuteOf("finalExam.endTime")} ||
    CASE WHEN ${isAfternoon("finalExam.endTime")} THEN 'pm' ELSE 'am' END
  END`;

/** The section's properties, by column of the history. */
export const DESCRIBED_AS: Readonly<Record<(typeof DESCRIBED_COLUMNS)[number], string>> = {
  department: "deptCode",
  courseNumber: "courseNumber",
  courseNumeric: "courseNumeric",
  sectionType: "sectionType",
  sectionNum: "sectionNum",
  units: "units",
  instructors: "instructors",
  meetings: meetingTexts,
  finalExam: finalExamText,
};

export const SNAPSHOT_AS: Readonly<Record<SnapshotValue, string>> = {
  maxCapacity: "maxCapacity",
  totalEnrolled: "numCurrentlyEnrolled.totalEnrolled",
  waitlist: "numOnWaitlist",
  waitlistCap: "numWaitlistCap",
  requested: "numRequested",
  newOnlyReserved: "numNewOnlyReserved",
  status: "status",
};
