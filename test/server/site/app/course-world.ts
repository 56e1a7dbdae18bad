/** A course with a story, in terms around today: five people who graded it, one who never did, three recorded terms, a cancelled section, a circle of prerequisites. */
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../../pipeline/contract/rows/enrollment-history.ts";
import type { CalendarDate } from "../../../../pipeline/contract/rows/calendar.ts";
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serveFolder } from "../../../support/whole-run.ts";
import { courseRow, matchesOf, personRow } from "../../../support/worlds/catalogue-rows.ts";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { headingsOf, meeting, sectionRow } from "../../../support/worlds/section-rows.ts";
import { openForAll } from "./opened-page.ts";

const DAY_MS = 86_400_000;
/** `YYYY-MM-DD`, some days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Days from today to the first day of instruction. Names of terms need not fit the season. */
const BEGINS = {
  "2022 Fall": -760,
  "2023 Fall": -390,
  "2024 Fall": -21,
  "2025 Winter": 60,
  "2025 Spring": 150,
} as const;
type TermName = keyof typeof BEGINS;
const termOf = (term: TermName) => {
  const [year = "", quarter = ""] = term.split(" ");
  return { year, quarter: quarter as "Fall" };
};
/** The day some days after instruction began. */
export const dayIn = (term: TermName, days: number): string => inDays(BEGINS[term] + days);

const course = { department: "COMPSCI", courseNumber: "161" } as const;
const inSchedule = { deptCode: "COMPSCI", courseNumber: "161", courseTitle: "DES&ANALYS OF ALGOR" };

const lecture = (term: TermName, instructors: string[], change = {}) =>
  sectionRow({ ...inSchedule, ...termOf(term), sectionCode: "34130", instructors, maxCapacity: "100", ...change });

const final = (examStatus: Section["finalExam"]["examStatus"]): Section["finalExam"] => ({
  ...{ examStatus, dayOfWeek: null, month: null, day: null, startTime: null, endTime: null, bldg: null },
  ...(examStatus === "SCHEDULED_FINAL" && {
    ...{ dayOfWeek: "Tue", month: 11, day: 10, bldg: ["HIB 200"] },
    ...{ startTime: { hour: 13, minute: 30 }, endTime: { hour: 15, minute: 30 } },
  }),
});

/** What stands beside the course in the running term. */
const others = [
  // At the same hours as the course, with a final of which the time is not known.
  { deptCode: "MATH", courseNumber: "2B", sectionCode: "44200", finalExam: final("TBA_FINAL") },
  { deptCode: "COMPSCI", courseNumber: "162", sectionCode: "34200", meetings: [meeting("TuTh", "9:30", "10:50")] },
  { deptCode: "COMPSCI", courseNumber: "162", sectionCode: "34201", meetings: [meeting("TuTh", "11:00", "12:20")] },
  { deptCode: "COMPSCI", courseNumber: "162", sectionCode: "34202", meetings: [meeting("MWF", "14:00", "14:50")] },
  {
    ...{ deptCode: "COMPSCI", courseNumber: "162", sectionCode: "34203", status: "FULL" },
    meetings: [meeting("MWF", "15:00", "15:50")],
  },
  ...["7", "8", "9"].map((courseNumber, i) => ({
    ...{ deptCode: "DANCE", courseNumber, sectionCode: `0100${i}`, geCategories: ["GE-4" as const] },
    ...{ meetings: [meeting("TuTh", `${9 + i}:00`, `${9 + i}:50`)], status: courseNumber === "9" ? "FULL" : "OPEN" },
  })),
].map((change) => sectionRow(change));

const sections = [
  ...others,
  lecture("2022 Fall", ["AMBERLEY, R."]),
  lecture("2023 Fall", ["QUILLEN, T."]),
  lecture("2024 Fall", ["AMBERLEY, R."], { finalExam: final("SCHEDULED_FINAL") }),
  lecture("2024 Fall", ["STAFF"], {
    ...{ sectionCode: "34131", sectionType: "Dis", sectionNum: "A1", units: "0" },
    meetings: [meeting("F", "13:00", "13:50", "SSL 209")],
  }),
  lecture("2024 Fall", ["QUILLEN, T."], {
    sectionCode: "34140",
    sectionNum: "B",
    cancelled: true,
    sectionComment: "***  CANCELLED  ***",
  }),
  lecture("2025 Winter", ["QUILLEN, T.", "STAFF"]),
  lecture("2025 Spring", ["NEWCOMER, N."]),
  // A term without the course.
  sectionRow({ year: "2021", quarter: "Spring" }),
];

const history = (term: TermName, sectionCode: string, change: Partial<EnrollmentHistory> = {}): EnrollmentHistory => ({
  ...termOf(term),
  ...course,
  sectionCode,
  courseNumeric: 161,
  sectionType: "Lec",
  sectionNum: "A",
  units: "4",
  instructors: [term === "2023 Fall" ? "QUILLEN, T." : "AMBERLEY, R."],
  meetings: [],
  finalExam: "",
  imported: false,
  ...change,
});

/** One period a month that it touches; days count from the first of instruction. */
function recorded(term: TermName, from: number, to: number, taken: number, sectionCode = "34130"): EnrollmentPeriod[] {
  const months = new Map<string, [first: string, last: string]>();
  for (let at = from; at <= to; at += 1) {
    const date = dayIn(term, at);
    months.set(date.slice(0, 7), [months.get(date.slice(0, 7))?.[0] ?? date, date]);
  }
  return [...months].map(([month, [first, last]]) => ({
    ...termOf(term),
    month,
    sectionCode,
    first,
    last,
    maxCapacity: "100",
    totalEnrolled: String(taken),
    waitlist: "0",
    waitlistCap: "20",
    requested: "120",
    newOnlyReserved: "0",
    status: taken >= 100 ? "FULL" : "OPEN",
    imported: false,
  }));
}

const periods = [
  // Full six weeks before instruction, nine days after the last day with nobody.
  ...recorded("2023 Fall", -70, -51, 0),
  ...recorded("2023 Fall", -50, -43, 60),
  ...recorded("2023 Fall", -42, 60, 100),
  // Nothing was recorded for three weeks, and the course was full after that.
  ...recorded("2022 Fall", -56, -50, 20),
  ...recorded("2022 Fall", -28, 40, 100),
  // Now: the lecture has seats, its discussion never matters, and lecture B counts until it was cancelled.
  ...recorded("2024 Fall", -40, -20, 50),
  ...recorded("2024 Fall", -19, 21, 90),
  ...recorded("2024 Fall", -40, 21, 10, "34131"),
  ...recorded("2024 Fall", -40, 21, 4, "34140"),
  // Another course, to compare with.
  ...recorded("2024 Fall", -40, 21, 30, "34201"),
];

const cancelled: Change = {
  ...termOf("2024 Fall"),
  ...course,
  month: dayIn("2024 Fall", -10).slice(0, 7),
  at: `${dayIn("2024 Fall", -10)}T10:00:00.000Z`,
  since: `${dayIn("2024 Fall", -10)}T09:00:00.000Z`,
  snapshot: "0000000000000001",
  sectionCode: "34140",
  instructors: ["QUILLEN, T."],
  kind: "cancelled",
  field: "sectionComment",
  before: "",
  after: "***  CANCELLED  ***",
};

type Letters = readonly [a: number, b: number, c: number, d: number, f: number];
const graded = (year: string, sectionCode: string, instructors: string[], letters: Letters, averageGPA: number) =>
  gradeRow({
    ...course,
    courseNumeric: 161,
    geCategories: [],
    year,
    sectionCode,
    instructors,
    averageGPA,
    gradeACount: letters[0],
    gradeBCount: letters[1],
    gradeCCount: letters[2],
    gradeDCount: letters[3],
    gradeFCount: letters[4],
    gradePCount: 2,
    gradeNPCount: 0,
    gradeWCount: 1,
  });

const grades = [
  graded("2019", "34130", ["AMBERLEY, R."], [20, 20, 10, 0, 0], 3.2),
  graded("2022", "34130", ["AMBERLEY, R."], [30, 10, 10, 0, 0], 3.4),
  graded("2023", "34130", ["QUILLEN, T."], [60, 5, 0, 0, 5], 3.6),
  graded("2022", "34140", ["QUILLEN, T.", "DOVER, D."], [30, 0, 10, 0, 0], 3.5),
  graded("2020", "34130", ["EASTON, E."], [100, 60, 20, 10, 10], 3.1),
  graded("2018", "34130", ["FEWER, F."], [3, 4, 2, 0, 0], 3.1),
  { ...graded("2023", "34201", ["AMBERLEY, R."], [10, 10, 5, 5, 0], 2.8), courseNumber: "162", courseNumeric: 162 },
  ...["7", "8", "9"].map((courseNumber, i) =>
    gradeRow({ department: "DANCE", courseNumber, sectionCode: `0110${i}`, averageGPA: 3.1 + i / 4 }),
  ),
];

const need = (names: readonly string[], text: string) => ({
  prerequisiteTree: JSON.stringify({ AND: names }),
  prerequisiteList: [...names],
  prerequisiteText: text,
});
const compsci = (courseNumber: string, change: Parameters<typeof courseRow>[0]) =>
  courseRow({
    department: "COMPSCI",
    departmentName: "Computer Science",
    courseNumber,
    title: `Title of ${courseNumber}`,
    ...change,
  });

const courses = [
  compsci("161", {
    title: "Design and Analysis of Algorithms",
    description: `${"What can be computed, and how fast. ".repeat(12)}The <b>last</b> sentence.`,
    school: "School of Computing",
    terms: ["2024 Fall", "2023 Fall", "2022 Fall"],
    prerequisiteFor: ["COMPSCI 162", "COMPSCI 164"],
    restriction: "Majors first.",
    ...need(
      ["COMPSCI 46", "MATH 2B", "AP CALCULUS BC", "COMPSCI 6"],
      "COMPSCI 46 (min grade C) AND (MATH 2B OR AP CALCULUS BC (min score 4)) AND COMPSCI 6 (corequisite) AND SENIOR STANDING ONLY AND NO COMPSCI H161",
    ),
  }),
  compsci("46", { prerequisiteFor: ["COMPSCI 161"], ...need(["COMPSCI 45"], "COMPSCI 45") }),
  // A circle: 45 needs 46, which needs 45.
  compsci("45", { prerequisiteFor: ["COMPSCI 46"], ...need(["COMPSCI 46"], "COMPSCI 46") }),
  compsci("6", {}),
  courseRow({
    department: "MATH",
    courseNumber: "2B",
    departmentName: "Mathematics",
    title: "Calculus",
    terms: ["2024 Fall"],
  }),
  ...["7", "8", "9"].map((courseNumber) => courseRow({ courseNumber, title: `Dance ${courseNumber}` })),
  compsci("162", { prerequisiteFor: ["COMPSCI 163"], ...need(["COMPSCI 161"], "COMPSCI 161") }),
  compsci("163", { prerequisiteFor: ["COMPSCI 161"], ...need(["COMPSCI 162"], "COMPSCI 162") }),
  compsci("164", need(["COMPSCI 161"], "COMPSCI 161")),
  // Nothing is known of it but its name.
  courseRow({
    department: "CRM/LAW",
    courseNumber: "C7",
    title: "Bare",
    description: "",
    departmentName: "",
    school: "",
  }),
];

/** Of the next term; days count from its first of instruction. */
const dateOf = (event: string, kind: CalendarDate["kind"], first: number, last = first): CalendarDate => ({
  ...{ ...termOf("2025 Winter"), event, kind },
  ...{ firstDay: dayIn("2025 Winter", first), lastDay: dayIn("2025 Winter", last) },
});

const people = [
  personRow({ courseHistory: { "COMPSCI 161": ["2024 Fall"] } }),
  personRow({ netid: "tquillen", name: "Tamsin Quillen", shortenedName: "QUILLEN, T." }),
  personRow({ netid: "nnewcome", name: "Noor Newcomer", shortenedName: "NEWCOMER, N." }),
];

async function openCourseWorld() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    departments: [
      { deptCode: "COMPSCI", deptName: "Computer Science" },
      { deptCode: "DANCE", deptName: "Dance" },
      { deptCode: "MATH", deptName: "Mathematics" },
    ],
    calendar_dates: [
      dateOf("Enrollment begins", "enrollment", -30),
      dateOf("Enrollment by appointment", "enrollment", -30, -10),
      dateOf("Last day to add", "deadline", 14),
      dateOf("A holiday", "holiday", 20),
    ],
    calendar: (Object.keys(BEGINS) as TermName[]).map((term) => ({
      ...termOf(term),
      instructionStart: dayIn(term, 0),
      instructionEnd: dayIn(term, 70),
      finalsStart: dayIn(term, 72),
      finalsEnd: dayIn(term, 77),
    })),
    grades,
    courses,
    instructors: people,
    section_instructors: matchesOf([...sections, ...grades], people),
    enrollment_history: [
      history("2022 Fall", "34130"),
      history("2023 Fall", "34130"),
      history("2024 Fall", "34130"),
      history("2024 Fall", "34131", { sectionType: "Dis", sectionNum: "A1", units: "0" }),
      history("2024 Fall", "34140", { sectionNum: "B" }),
      history("2024 Fall", "34201", { courseNumber: "162", courseNumeric: 162 }),
    ],
    enrollment_periods: periods,
    changes: [cancelled],
  });
  return serveFolder(folder);
}

/** For tests that only read. */
export const courseWorld = openForAll(openCourseWorld);
