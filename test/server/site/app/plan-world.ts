/** A term with sections that clash, meet end to end, lie far apart, are cancelled, full, or have no time; and what is published later. */
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { expect, vi } from "vitest";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { courseRow, matchesOf, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";
import { openForAll } from "./opened-page.ts";

const algorithms = { deptCode: "COMPSCI", courseNumber: "161", courseTitle: "DES&ANALYS OF ALGOR" };
const calculus = { deptCode: "MATH", courseNumber: "2B", courseTitle: "SINGLE-VAR CALCULUS" };

const vectors = { deptCode: "MATH", courseNumber: "2D", courseTitle: "MULTIVAR CALCULUS", restrictions: "" };

const chemistry = { deptCode: "CHEM", courseNumber: "1A", courseTitle: "GENERAL CHEMISTRY" };

const final = (day: number, start: number, ...bldg: string[]): Section["finalExam"] => ({
  examStatus: "SCHEDULED_FINAL",
  dayOfWeek: "Tue",
  month: 11,
  day,
  startTime: { hour: start, minute: 30 },
  endTime: { hour: start + 2, minute: 30 },
  bldg,
});
const noFinalYet: Section["finalExam"] = {
  ...final(0, 0),
  examStatus: "TBA_FINAL",
  dayOfWeek: null,
  month: null,
  day: null,
  startTime: null,
  endTime: null,
  bldg: null,
};

const discussion = (sectionCode: string, sectionNum: string): Partial<Section> => ({
  sectionCode,
  sectionType: "Dis",
  sectionNum,
  units: "0",
  instructors: ["STAFF"],
});

const sections = [
  sectionRow({
    ...algorithms,
    sectionCode: "34130",
    instructors: ["TAVOLAFORT, A.", "YARARRICK, F."],
    meetings: [meeting("TuTh", "14:00", "15:20", "HIB 200")],
    finalExam: final(10, 13, "HIB 200"),
    maxCapacity: "138",
    numCurrentlyEnrolled: { totalEnrolled: "138", sectionEnrolled: "" },
    numOnWaitlist: "7",
    numWaitlistCap: "20",
    status: "FULL",
    restrictions: "A and L",
    courseComment: "<p>See the <a href='https://classes.example.edu/'>class site</a>.<script>alert(1)</script></p>",
  }),
  sectionRow({
    ...algorithms,
    sectionCode: "34131",
    sectionType: "Dis",
    sectionNum: "A1",
    units: "0",
    instructors: ["STAFF"],
    meetings: [meeting("F", "13:00", "13:50", "SSL 209")],
    status: "NewOnly",
    numNewOnlyReserved: "5",
    restrictions: "",
  }),
  sectionRow({
    ...algorithms,
    sectionCode: "34140",
    sectionNum: "B",
    meetings: [meeting("MW", "9:00", "9:50", "HIB 100"), meeting("F", "9:00", "9:50", "ELH 100")],
    sectionComment: "*** CANCELLED ***",
    cancelled: true,
  }),
  sectionRow({
    ...calculus,
    sectionCode: "04204",
    instructors: [],
    meetings: [meeting("TuTh", "15:25", "16:45", "RH 101")],
    finalExam: final(10, 14, "RH 101"),
    restrictions: "",
  }),
  sectionRow({
    ...calculus,
    sectionCode: "04205",
    sectionType: "Dis",
    sectionNum: "4",
    units: "0",
    instructors: ["STAFF"],
    meetings: [meeting("F", "13:30", "14:20", "SSL 210")],
    finalExam: noFinalYet,
    restrictions: "",
    status: "Waitl",
  }),
  sectionRow({
    ...calculus,
    sectionCode: "04206",
    sectionType: "Dis",
    sectionNum: "5",
    units: "0",
    meetings: [meeting("F", "13:50", "14:40", "SSL 209")],
    restrictions: "",
  }),
  sectionRow({
    deptCode: "DANCE",
    courseNumber: "199",
    sectionCode: "01099",
    sectionType: "Tut",
    units: "1-4",
    meetings: [tba("ON LINE")],
  }),
  sectionRow({
    deptCode: "DANCE",
    courseNumber: "198",
    sectionCode: "01098",
    sectionType: "Tut",
    meetings: [meeting(null, "8:00", "8:50")],
  }),
  sectionRow({
    ...vectors,
    sectionCode: "04300",
    instructors: ["TAVOLAFORT, A."],
    meetings: [meeting("MWF", "10:00", "10:50", "RH 101")],
    finalExam: final(11, 8),
  }),
  sectionRow({ ...vectors, ...discussion("04301", "A1"), meetings: [meeting("Tu", "9:00", "9:50")] }),
  sectionRow({
    ...vectors,
    sectionCode: "04310",
    sectionNum: "B",
    meetings: [meeting("TuTh", "14:00", "15:20", "HIB 100")],
    finalExam: noFinalYet,
  }),
  sectionRow({ ...vectors, ...discussion("04311", "B1"), meetings: [meeting("Th", "9:00", "9:50")] }),
  sectionRow({ ...vectors, ...discussion("04312", "B2"), meetings: [meeting("Th", "11:00", "11:50")] }),
  // A code for the lecture, a full discussion beside an open one.
  sectionRow({
    ...{ ...chemistry, sectionCode: "40100", restrictions: "B", finalExam: final(12, 8) },
    meetings: [meeting("TuTh", "8:00", "8:50", "PSLH 100")],
  }),
  sectionRow({
    ...{ ...chemistry, ...discussion("40101", "1"), status: "FULL", restrictions: "" },
    meetings: [meeting("W", "9:00", "9:50")],
  }),
  sectionRow({
    ...{ ...chemistry, ...discussion("40102", "2"), restrictions: "" },
    meetings: [meeting("W", "11:00", "11:50")],
  }),
  // One category: open, full, open after a course that few have taken, and open beside MATH 2B.
  ...(["MWF 10:00 10:50", "MWF 10:00 10:50", "MWF 11:00 11:50", "TuTh 15:30 16:20"] as const).map((text, i) => {
    const [days = "", start, end] = text.split(" ");
    return sectionRow({
      ...{ courseNumber: `3${i}`, sectionCode: `0103${i}`, geCategories: ["GE-4"], restrictions: "" },
      ...{ meetings: [meeting(days, start, end)], status: i === 1 ? "FULL" : "OPEN" },
    });
  }),
  sectionRow({ year: "2023" }),
  sectionRow({ ...vectors, year: "2023", sectionCode: "04350" }),
];

const openSeat: Change = {
  year: "2024",
  quarter: "Fall",
  month: "2024-09",
  at: "2024-09-30T10:00:00.000Z",
  since: "2024-09-30T09:00:00.000Z",
  snapshot: "0000000000000001",
  sectionCode: "34130",
  department: "COMPSCI",
  courseNumber: "161",
  instructors: ["TAVOLAFORT, A."],
  kind: "enrolled",
  field: "numCurrentlyEnrolled.totalEnrolled",
  before: "137",
  after: "138",
};

const WAIT = { timeout: 20_000, interval: 50 };

const people = [
  personRow({
    netid: "atavolaf",
    name: "Aurelio Tavolafort",
    shortenedName: "TAVOLAFORT, A.",
    courseHistory: { "COMPSCI 161": ["2024 Fall"] },
  }),
  personRow({
    netid: "atavolag",
    name: "Ada Tavolafort",
    shortenedName: "TAVOLAFORT, A.",
    courseHistory: { "MATH 2B": ["2024 Fall"] },
  }),
];

export async function openPlanWorld() {
  const folder = await openFolder();
  const changes: Change[] = [openSeat];
  let now: readonly Section[] = sections;
  const publish = () =>
    publishRows(folder.artifacts, {
      sections: now,
      headings: headingsOf(now),
      changes,
      terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
      departments: [...new Set(now.map(({ deptCode }) => deptCode))].map((deptCode) => ({
        deptCode,
        deptName: deptCode,
      })),
      courses: [
        courseRow({
          department: "COMPSCI",
          courseNumber: "161",
          title: "Design and Analysis of Algorithms",
          terms: ["2024 Fall"],
        }),
        courseRow({ department: "CHEM", courseNumber: "1A", prerequisiteText: "CHEM 1P AND MATH 2B (corequisite)" }),
        ...["30", "31", "32", "33"].map((courseNumber) =>
          courseRow({ courseNumber, prerequisiteText: courseNumber === "32" ? "DANCE 1A" : "" }),
        ),
        courseRow({ department: "MATH", courseNumber: "2B", title: "Calculus", terms: ["2024 Fall"] }),
        courseRow({ department: "MATH", courseNumber: "2D", title: "Vectors", terms: ["2024 Fall", "2023 Fall"] }),
      ],
      grades: [
        gradeRow({
          department: "MATH",
          courseNumber: "2D",
          courseNumeric: 2,
          instructors: ["TAVOLAFORT, A."],
          averageGPA: 2.15,
        }),
        gradeRow({
          ...{ department: "MATH", courseNumber: "2D", courseNumeric: 2, sectionCode: "34170" },
          ...{ instructors: ["YARARRICK, F."], averageGPA: 3.25 },
        }),
      ],
      instructors: people,
      section_instructors: matchesOf(now, people),
      calendar_dates: [
        ["Thanksgiving Holiday", "holiday", "2024-11-28", "2024-11-29"] as const,
        ["Last day to drop", "deadline", "2024-10-11", "2024-10-11"] as const,
        ["Spring Recess", "holiday", "2024-03-22", "2024-03-29"] as const,
      ].map(([event, kind, firstDay, lastDay]) => ({ year: "2024", quarter: "Fall", event, kind, firstDay, lastDay })),
      calendar: [
        {
          year: "2024",
          quarter: "Fall",
          instructionStart: "2024-09-26",
          instructionEnd: "2024-12-06",
          finalsStart: "2024-12-07",
          finalsEnd: "2024-12-13",
        },
      ],
    });
  await publish();
  const server = await serve(folder.env);
  let count = 1;
  return {
    ...server,
    /** Publishes that a field of a section has become another one, together with the section; until it is served. */
    async publishChange(
      sectionCode: string,
      section: Partial<Section>,
      change: Pick<Change, "kind" | "field" | "before" | "after">,
    ) {
      now = now.map((one) => (one.sectionCode === sectionCode ? { ...one, ...section } : one));
      const at = new Date(Date.parse(openSeat.at) + ++count * 3_600_000).toISOString();
      const { deptCode: department = "", courseNumber = "" } = now.find((one) => one.sectionCode === sectionCode) ?? {};
      const snapshot = String(count).padStart(16, "0");
      changes.push({ ...openSeat, department, courseNumber, ...change, sectionCode, at, snapshot });
      const { id } = await publish();
      await vi.waitFor(async () => expect((await server.get("/week")).headers.get("x-data-snapshot")).toBe(id), WAIT);
    },
    async close() {
      await server.close();
      await folder.remove();
    },
  };
}

/** For tests that only read. */
export const planWorld = openForAll(openPlanWorld);
export type PlanWorld = Awaited<ReturnType<typeof openPlanWorld>>;
