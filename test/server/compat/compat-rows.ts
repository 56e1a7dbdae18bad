/** A few rows that show each rule of COMPAT=1, behind a server with it and one without. */
import type { Section } from "../../../pipeline/contract/rows/section.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, meeting, sectionRow } from "../../support/worlds/section-rows.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { historyRow, periodRows } from "../response/representations/history-row.ts";

export const TREE = {
  AND: [{ OR: ["MATH 2A", "AP CALCULUS AB", { AND: ["PHYSICS 3A", "AP PHYSICS 1"] }] }, "I&CSCI 31", "AP 10"],
};
export const NAMES = ["MATH 2A", "AP CALCULUS AB", "PHYSICS 3A", "AP PHYSICS 1", "I&CSCI 31", "AP 10"];

/** The same with what the plain tree does not say. */
export const REQUIREMENT = {
  AND: [
    {
      OR: [
        { prereqType: "course", coreq: false, courseId: "MATH 2A", minGrade: "C" },
        { prereqType: "exam", examName: "AP CALCULUS AB", minGrade: "4" },
        {
          AND: [
            { prereqType: "course", coreq: true, courseId: "PHYSICS 3A" },
            { prereqType: "exam", examName: "AP PHYSICS 1" },
          ],
        },
      ],
    },
    { prereqType: "course", coreq: false, courseId: "I&CSCI 31" },
    { prereqType: "course", coreq: false, courseId: "AP 10" },
    { NOT: [{ prereqType: "course", coreq: false, courseId: "I&C SCI 21" }] },
  ],
};

export const courses = [
  courseRow({
    department: "COMPSCI",
    courseNumber: "161",
    title: "Algorithms",
    prerequisiteTree: JSON.stringify(TREE),
    prerequisiteList: NAMES,
    requirementTree: JSON.stringify(REQUIREMENT),
    prerequisiteFor: ["COMPSCI 162", "NOWHERE 1", "I&C SCI 31"],
    instructorHistory: ["ramberley", "nobody", "qvane"],
    geList: ["GE-1A", "GE-1B", "GE-2", "GE-3", "GE-4", "GE-5A", "GE-5B", "GE-6", "GE-7", "GE-8"],
    minUnits: 0.5,
    maxUnits: 4,
    description: 'Text with "quotes", \\ and Ünïcode 😀.',
  }),
  courseRow({ department: "COMPSCI", courseNumber: "162", title: "Automata" }),
  courseRow({ department: "I&C SCI", courseNumber: "31", title: "Introduction" }),
  courseRow({ department: "MATH", courseNumber: "2A", title: "Calculus" }),
  courseRow({ department: "AP", courseNumber: "10", title: "Applied Puppetry" }),
];
const people = [
  personRow({
    courseHistory: { "COMPSCI 161": ["2024 Fall"], "DANCE 999": ["2024 Fall"], "I&C SCI 31": ["2023 Fall"] },
  }),
  personRow({ netid: "qvane", name: "Quinn Vane", shortenedName: "VANE, Q." }),
];
const sections = (
  [
    ["20000", { restrictions: "A", meetings: [meeting("TuTh", "9:00", "9:50", "ALP 2300")] }],
    ["20001", { restrictions: "A and L", meetings: [meeting("MWF", "9:00", "9:50", "ALP 2300")] }],
    ["20002", { restrictions: "", meetings: [meeting("Tu", "9:00", "9:50", "ALP 2300")] }],
    ["20003", { restrictions: "B or K", meetings: [meeting("SaSu", "9:00", "9:50", "ALP 2300")] }],
  ] satisfies [string, Partial<Section>][]
).map(([sectionCode, change]) => sectionRow({ sectionCode, ...change }));

export async function openCompat() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, {
    courses,
    instructors: people,
    sections,
    headings: headingsOf(sections),
    larc: [
      {
        year: "2024",
        quarter: "Fall",
        courseNumber: "MATH 2A",
        courseName: "Calculus",
        sections: [
          { day: "MW", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" },
          { day: "TuTh", time: "1:00-1:50p", instructor: "Quinn Vane", building: "RH 101" },
        ],
      },
    ],
    enrollment_history: [historyRow("00123"), historyRow("10001")],
    enrollment_periods: [
      ...periodRows("00123", [["2019-10-01", "2019-10-02", "12"]]),
      ...periodRows("10001", [["2019-10-01", "2019-10-01", "7"]]),
    ],
  });
  const compat = await serve({ ...folder.env, COMPAT: "1" });
  const plain = await serve(folder.env);
  return {
    folder,
    compat,
    plain,
    async close(): Promise<void> {
      await compat.close();
      await plain.close();
      await folder.remove();
    },
  };
}
