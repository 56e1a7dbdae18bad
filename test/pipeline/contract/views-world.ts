/** A few rows of each kind, published, for the tests of the views over them. */
import { join } from "node:path";
import { beforeAll } from "vitest";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../pipeline/contract/rows/enrollment-history.ts";
import type { CalendarDate } from "../../../pipeline/contract/rows/calendar.ts";
import type { FinalExam, Section } from "../../../pipeline/contract/rows/section.ts";
import type { Quarter } from "../../../pipeline/contract/vocabulary.ts";
import { runSql } from "../../support/run-sql.ts";
import { publishRows } from "../../support/published/published.ts";
import { courseRow } from "../../support/worlds/catalogue-rows.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../support/worlds/section-rows.ts";
import { gradeRow, scratchFolder } from "../publish/scratch.ts";

const artifacts = scratchFolder();
const options = { tempFolder: join(artifacts, "spill") };

/** The rows that `make sql` returns. */
export async function rowsOf<Row = Record<string, unknown>>(sql: string): Promise<Row[]> {
  let text = "";
  for await (const piece of runSql(artifacts, sql, "json", options)) text += piece;
  return JSON.parse(text) as Row[];
}

const clock = (hour: number, minute = 0) => ({ hour, minute });
const final: FinalExam = {
  examStatus: "SCHEDULED_FINAL",
  dayOfWeek: "Mon",
  month: 11,
  day: 9,
  startTime: clock(8),
  endTime: clock(10),
  bldg: ["HIB 100", "HIB 110"],
};

const sections: Section[] = [
  sectionRow({
    sectionCode: "10001",
    deptCode: "I&C SCI",
    courseNumber: "H32",
    meetings: [meeting("TuTh", "9:30", "10:50", "ALP 2300", "SSL 220A"), meeting("SaSu", "22:00", "25:15", "ON LINE")],
    instructors: ["AMBERLEY, R.", "BRISTOW, T.", "STAFF"],
    numOnWaitlist: "3",
    numWaitlistCap: "5",
    numNewOnlyReserved: "2",
    numRequested: "n/a",
    maxCapacity: "n/a",
    finalExam: final,
  }),
  sectionRow({ sectionCode: "10002", meetings: [tba("TBA"), tba("ON LINE")], instructors: ["STAFF"] }),
  sectionRow({ sectionCode: "10003", meetings: [meeting("", "8:00", "8:50", "GYM"), tba()], instructors: [] }),
  sectionRow({
    sectionCode: "10004",
    finalExam: { ...final, month: 1, day: 30 },
    cancelled: true,
    numCurrentlyEnrolled: { totalEnrolled: "12", sectionEnrolled: "5" },
  }),
];

const term = (
  year: string,
  quarter: Quarter,
  instructionStart: string,
  instructionEnd: string,
  finalsStart: string,
  finalsEnd: string,
) => ({ year, quarter, instructionStart, instructionEnd, finalsStart, finalsEnd });
/** Terms that begin on a Thursday, a Monday, a Wednesday and a Sunday, overlap, and have finals within instruction. */
export const calendar = [
  term("2024", "Fall", "2024-09-26", "2024-12-06", "2024-12-07", "2024-12-13"),
  term("2024", "Winter", "2024-01-08", "2024-03-15", "2024-03-16", "2024-03-22"),
  term("2024", "Spring", "2024-04-03", "2024-06-07", "2024-06-10", "2024-06-13"),
  term("2024", "Summer1", "2024-06-23", "2024-07-30", "2024-07-30", "2024-07-31"),
  term("2024", "Summer10wk", "2024-06-24", "2024-08-30", "2024-08-29", "2024-08-30"),
];

const calendarDates: CalendarDate[] = (
  [
    ["Thanksgiving Holiday", "holiday", "2024-11-28", "2024-11-29"],
    ["A Flood", "holiday", "2024-12-02", null],
    ["Veterans Day Holiday", "holiday", "2024-11-11", "2024-11-11"],
    ["Enrollment begins", "enrollment", "2024-05-20", "2024-05-31"],
    ["Last day to drop", "deadline", "2024-10-11", "2024-10-11"],
    ["Commencement", "other", "2024-12-14", "2024-12-14"],
  ] as const
).map(([event, kind, firstDay, lastDay]) => ({ year: "2024", quarter: "Fall", event, kind, firstDay, lastDay }));

const period: EnrollmentPeriod = {
  year: "2024",
  quarter: "Fall",
  month: "2024-09",
  sectionCode: "10001",
  first: "2024-09-01",
  last: "2024-09-02",
  maxCapacity: "30",
  totalEnrolled: "28",
  waitlist: "n/a",
  waitlistCap: "",
  requested: "40",
  newOnlyReserved: "1",
  status: "OPEN",
  imported: false,
};
const { deptCode: department, courseNumber, courseNumeric, sectionType, sectionNum, units } = sectionRow();
const history: EnrollmentHistory = {
  ...{ year: "2024", quarter: "Fall", sectionCode: "10001", department, courseNumber, courseNumeric, sectionType },
  ...{ sectionNum, units, instructors: [], meetings: [], finalExam: "", imported: false },
};

/** 2 students with letters and an average, 3 with letters without one, and Pass/No Pass only. */
const grades = [
  { sectionCode: "10001", gradeACount: 1, gradeBCount: 1, gradeWCount: 4, averageGPA: 3.65 },
  { sectionCode: "10002", gradeCCount: 3, averageGPA: null },
  { sectionCode: "10003", gradePCount: 5, gradeNPCount: 1, averageGPA: null },
  { sectionCode: "10004", gradeFCount: 8, averageGPA: 0, instructors: ["AMBERLEY, R.", "BRISTOW, T."] },
].map((change) =>
  gradeRow({ ...noCounts(), instructors: change.sectionCode === "10001" ? ["AMBERLEY, R."] : [], ...change }),
);

const course = (courseId: string, coreq = false, minGrade?: string) => ({
  prereqType: "course",
  coreq,
  courseId,
  minGrade,
});
const tree = {
  AND: [
    { OR: [course("I&C SCI 46", false, "C"), { prereqType: "exam", examName: 'AP "X"\\Y {Z}', minGrade: "4" }] },
    { AND: [course("I&C SCI 46", true), course("LATIN 1A"), { NOT: [course("I&C SCI 99")] }] },
    { OR: [course("I&C SCI 46", true), { NOT: [course("I&C SCI 46", true, "B")] }] },
  ],
};
const courses = [
  courseRow({ department: "I&C SCI", courseNumber: "46" }),
  courseRow({ department: "I&C SCI", courseNumber: "99" }),
  courseRow({ department: "CRM/LAW", courseNumber: "C7", requirementTree: JSON.stringify(tree) }),
];

function noCounts() {
  const none = { gradeACount: 0, gradeBCount: 0, gradeCCount: 0, gradeDCount: 0, gradeFCount: 0 };
  return { ...none, gradePCount: 0, gradeNPCount: 0, gradeWCount: 0 };
}

beforeAll(async () => {
  await publishRows(artifacts, {
    sections,
    headings: headingsOf(sections),
    calendar,
    calendar_dates: calendarDates,
    grades,
    courses,
    enrollment_history: [history],
    enrollment_periods: [period],
  });
});
