/** A small campus for the site: two courses, two people, three years of grades, a term whose enrollment was seen for a month, and one with a cancelled section. */
import type { Change } from "../../../../pipeline/contract/rows/change.ts";
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../../pipeline/contract/rows/enrollment-history.ts";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { courseRow, matchesOf, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, meeting, sectionRow } from "../../../support/worlds/section-rows.ts";

const CRAWLED = new Date(Math.floor(Date.now() / 1000) * 1000 - 600_000);

const ics46 = { department: "I&C SCI", courseNumber: "46" } as const;
const inFall = {
  deptCode: "I&C SCI",
  courseNumber: "46",
  courseTitle: "DATA STRC IMPL&ANLS",
  schoolName: "School of Computing",
};

const sections = [
  sectionRow({ ...inFall, sectionCode: "35730", maxCapacity: "150", status: "Waitl", numOnWaitlist: "7" }),
  sectionRow({
    ...inFall,
    sectionCode: "35731",
    sectionType: "Lab",
    sectionNum: "1",
    instructors: ["STAFF"],
    meetings: [meeting("TuTh", "15:30", "16:50", "ICS 189")],
    numCurrentlyEnrolled: { totalEnrolled: "30", sectionEnrolled: "" },
    status: "FULL",
  }),
  sectionRow({
    ...inFall,
    year: "2025",
    quarter: "Winter",
    deptCode: "DANCE",
    courseNumber: "10",
    sectionCode: "10000",
  }),
  ...["05000", "05001"].map((sectionCode) =>
    sectionRow({
      ...inFall,
      year: "2025",
      quarter: "Winter",
      deptCode: "DANCE",
      courseNumber: "10",
      sectionCode,
      sectionComment: sectionCode === "05001" ? "***  CANCELLED  ***" : "",
      cancelled: sectionCode === "05001",
    }),
  ),
  sectionRow({ ...inFall, year: "2023", sectionCode: "35700" }),
  sectionRow({
    year: "2023",
    deptCode: "MUSIC",
    courseNumber: "9",
    courseTitle: "SONGS",
    sectionCode: "30900",
    instructors: ["SOLO, S."],
  }),
];

const history = (sectionCode: string, of: Partial<EnrollmentHistory> = {}): EnrollmentHistory => ({
  year: "2024",
  quarter: "Fall",
  sectionCode,
  ...ics46,
  courseNumeric: 46,
  sectionType: sectionCode === "35731" ? "Lab" : "Lec",
  sectionNum: "A",
  units: "4",
  instructors: ["AMBERLEY, R."],
  meetings: [],
  finalExam: "",
  imported: false,
  ...of,
});

const seen = (
  sectionCode: string,
  first: string,
  last: string,
  totalEnrolled: string,
  status = "OPEN",
): EnrollmentPeriod => ({
  year: "2024",
  quarter: "Fall",
  month: "2024-09",
  sectionCode,
  first,
  last,
  maxCapacity: "150",
  totalEnrolled,
  waitlist: totalEnrolled === "150" ? "7" : "0",
  waitlistCap: "20",
  requested: "160",
  newOnlyReserved: "0",
  status,
  imported: false,
});

const dance10 = { department: "DANCE", courseNumber: "10" } as const;
const inWinter = { year: "2025", quarter: "Winter" } as const;
const seenInWinter = (sectionCode: string, last: string): EnrollmentPeriod => ({
  ...seen(sectionCode, "2024-11-01", last, "12"),
  ...inWinter,
  month: "2024-11",
});

/** Thirty days of the lecture, one of the laboratory. */
const periods = [
  seen("35730", "2024-09-01", "2024-09-10", "40"),
  seen("35730", "2024-09-11", "2024-09-20", "110"),
  seen("35730", "2024-09-21", "2024-09-28", "150", "Waitl"),
  seen("35730", "2024-09-29", "2024-09-30", "150", "FULL"),
  seen("35731", "2024-09-30", "2024-09-30", "30"),
  seenInWinter("10000", "2024-11-05"),
  seenInWinter("05000", "2024-11-03"),
  // The cancelled section was seen most often.
  seenInWinter("05001", "2024-11-10"),
];

const grades = ["2021", "2022", "2023"].flatMap((year, i) =>
  ["34160", "34170"].map((sectionCode) => gradeRow({ year, sectionCode, ...ics46, averageGPA: 2.5 + i / 4 })),
);

const change = (row: Partial<Change> & Pick<Change, "at" | "kind" | "field" | "before" | "after">): Change => ({
  year: "2024",
  quarter: "Fall",
  month: row.at.slice(0, 7),
  since: new Date(Date.parse(row.at) - 3_600_000).toISOString(),
  snapshot: "0000000000000001",
  sectionCode: "35730",
  ...ics46,
  instructors: ["AMBERLEY, R."],
  ...row,
});
const changes = [
  change({ at: "2024-09-10T10:00:00.000Z", kind: "capacity", field: "maxCapacity", before: "120", after: "150" }),
  change({ at: "2024-09-21T10:00:00.000Z", kind: "status", field: "status", before: "OPEN", after: "Waitl" }),
  change({
    at: "2024-09-21T10:00:00.000Z",
    kind: "enrolled",
    field: "numCurrentlyEnrolled.totalEnrolled",
    before: "149",
    after: "150",
  }),
  change({
    at: "2024-11-04T10:00:00.000Z",
    ...inWinter,
    ...dance10,
    sectionCode: "05000",
    kind: "enrolled",
    field: "numCurrentlyEnrolled.totalEnrolled",
    before: "11",
    after: "12",
  }),
];

const people = [
  personRow({ courseHistory: { "I&C SCI 46": ["2024 Fall", "2023 Fall"] } }),
  personRow({ netid: "tquillen", name: "Tamsin Quillen", shortenedName: "QUILLEN, T." }),
];

export async function openPageWorld(env: Record<string, string> = {}) {
  const folder = await openFolder();
  const { id } = await publishRows(
    folder.artifacts,
    {
      sections,
      headings: headingsOf(sections),
      departments: [
        { deptCode: "DANCE", deptName: "Dance" },
        { deptCode: "I&C SCI", deptName: "Information & Computer Science" },
      ],
      terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
      grades,
      courses: [
        courseRow({
          ...ics46,
          title: "Data Structure Implementation and Analysis",
          description: "Trees <b>and</b> tables.",
          departmentName: "Information & Computer Science",
          terms: ["2024 Fall", "2023 Fall"],
          prerequisiteFor: ["DANCE 10"],
        }),
        courseRow(),
      ],
      instructors: people,
      section_instructors: matchesOf([...sections, ...grades], people),
      enrollment_history: [
        history("35730"),
        history("35731"),
        ...["05000", "05001", "10000"].map((code) => history(code, { ...inWinter, ...dance10, courseNumeric: 10 })),
      ],
      enrollment_periods: periods,
      changes,
    },
    {
      now: CRAWLED,
      nextRefresh: new Date(CRAWLED.getTime() + 3_600_000),
      source: { schedule: "sample campus (test)" },
    },
  );
  const server = await serve({ ...folder.env, ...env });
  return {
    ...server,
    id,
    artifacts: folder.artifacts,
    /** Publishes the next snapshot: the lecture has one student more. */
    async publishNext() {
      const later = sections.map((section) =>
        section.sectionCode === "35730"
          ? { ...section, numCurrentlyEnrolled: { totalEnrolled: "13", sectionEnrolled: "" } }
          : section,
      );
      const enrolled = change({
        at: "2024-09-30T11:00:00.000Z",
        snapshot: "0000000000000002",
        kind: "enrolled",
        field: "numCurrentlyEnrolled.totalEnrolled",
        before: "12",
        after: "13",
      });
      await publishRows(folder.artifacts, { sections: later, changes: [...changes, enrolled] });
    },
    async close() {
      await server.close();
      await folder.remove();
    },
  };
}
