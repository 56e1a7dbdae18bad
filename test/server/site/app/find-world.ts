/** A term in which sections of a general education category differ by days, hours, seats, units, grades and restrictions; and a department with many. */
import type { z } from "zod";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import type { Schedule } from "../../../../server/response/shapes/schedule.ts";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { courseRow, matchesOf, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

const GE4 = { geCategories: ["GE-4"] } satisfies Partial<Section>;
const afternoon = [meeting("TuTh", "14:00", "15:20", "HIB 100")];
const seats = (totalEnrolled: string, maxCapacity: string) => ({
  numCurrentlyEnrolled: { totalEnrolled, sectionEnrolled: "" },
  maxCapacity,
});

const sections = [
  sectionRow({
    ...GE4,
    ...seats("29", "30"),
    courseNumber: "7",
    sectionCode: "01007",
    meetings: afternoon,
    restrictions: "",
  }),
  sectionRow({
    ...GE4,
    ...seats("10", "90"),
    deptCode: "ART HIS",
    courseNumber: "40A",
    sectionCode: "02040",
    units: "5",
    meetings: [meeting("TuTh", "15:30", "16:50", "HIB 110")],
    restrictions: "A and L",
  }),
  sectionRow({
    ...GE4,
    deptCode: "MUSIC",
    courseNumber: "3",
    sectionCode: "03003",
    sectionType: "Tap",
    units: "2",
    meetings: [meeting("TuTh", "17:00", "17:50", "MM 218")],
  }),
  // Each of these misses one of the wishes.
  sectionRow({ ...GE4, sectionCode: "01010", meetings: [meeting("TuTh", "9:30", "10:50", "HIB 100")] }),
  sectionRow({ ...GE4, sectionCode: "01011", meetings: [meeting("MWF", "14:00", "14:50", "HIB 100")] }),
  sectionRow({ ...GE4, ...seats("30", "30"), sectionCode: "01012", meetings: afternoon, status: "FULL" }),
  sectionRow({ ...GE4, ...seats("30", "30"), sectionCode: "01013", meetings: afternoon, status: "Waitl" }),
  sectionRow({ geCategories: ["GE-3"], sectionCode: "01014", meetings: afternoon }),
  sectionRow({
    ...GE4,
    sectionCode: "01015",
    meetings: afternoon,
    sectionComment: "*** CANCELLED ***",
    cancelled: true,
  }),
  sectionRow({ ...GE4, sectionCode: "01016", meetings: [tba("ON LINE")], status: "NewOnly" }),
  ...Array.from({ length: 90 }, (_, i) =>
    sectionRow({
      deptCode: "MATH",
      courseNumber: i < 80 ? "199" : "205",
      courseTitle: "INDEPENDENT STUDY",
      sectionCode: String(44_000 + i),
      sectionType: "Tut",
      sectionNum: String(i + 1),
      units: "1-4",
      instructors: ["STAFF"],
      meetings: [tba("TBA")],
    }),
  ),
];

const people = [personRow({ courseHistory: { "DANCE 7": ["2024 Fall"] } })];

export async function openFindWorld() {
  const folder = await openFolder();
  const named = [...new Set(sections.map(({ deptCode }) => deptCode))];
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    terms: [{ year: "2024", quarter: "Fall", longName: "2024 Fall Quarter" }],
    departments: named.map((deptCode) => ({ deptCode, deptName: `Department of ${deptCode}` })),
    grades: [
      gradeRow({ department: "DANCE", courseNumber: "7", averageGPA: 3.1 }),
      gradeRow({ department: "MUSIC", courseNumber: "3", averageGPA: 3.6, sectionCode: "03003" }),
    ],
    courses: [
      courseRow(),
      courseRow({ department: "DANCE", courseNumber: "7", title: "Movement", prerequisiteText: "DANCE 1A" }),
      courseRow({ department: "ART HIS", courseNumber: "40A", title: "Ancient Art" }),
    ],
    instructors: people,
    section_instructors: matchesOf(sections, people),
  });
  const server = await serve(folder.env);
  return {
    ...server,
    /** Codes of the sections that `/schedule` returns for filters of 2024 Fall, ascending. */
    async codes(filters: Readonly<Record<string, string>>): Promise<string[]> {
      const query = new URLSearchParams({ year: "2024", quarter: "Fall", cacheOnly: "true", ...filters });
      const { schools } = await server.json<z.infer<typeof Schedule>>(`/schedule?${query}`);
      return schools
        .flatMap(({ departments }) => departments.flatMap(({ courses }) => courses))
        .flatMap((course) => course.sections.map(({ sectionCode }) => sectionCode))
        .sort();
    },
    async close() {
      await server.close();
      await folder.remove();
    },
  };
}
export type FindWorld = Awaited<ReturnType<typeof openFindWorld>>;
