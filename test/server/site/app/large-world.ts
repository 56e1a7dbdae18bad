/** Courses as large as a real university has them: one of 141 sections that 72 people graded, one of 362 sections of independent study. */
import type { EnrollmentHistory, EnrollmentPeriod } from "../../../../pipeline/contract/rows/enrollment-history.ts";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { gradeRow } from "../../../support/grade-row.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serveFolder } from "../../../support/whole-run.ts";
import { courseRow, matchesOf, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { headingsOf, meeting, sectionRow, tba } from "../../../support/worlds/section-rows.ts";

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRST");
const YEARS = ["2018", "2019", "2020", "2021", "2022", "2023"];

/** Names of people who are not alike: `ADABERG, A.`. */
const nameOf = (i: number): string => {
  const parts = ["ADA", "BEL", "COR", "DAN", "ELI", "FAY", "GUS", "HAL", "IDA", "JON", "KIM", "LEO"];
  const ends = ["BERG", "DALE", "FORD", "HILL", "LAND", "MAN", "SON", "TON", "WELL", "WOOD"];
  return `${parts[i % 12]}${ends[Math.floor(i / 12) % 10]}${i >= 120 ? LETTERS[Math.floor(i / 120)] : ""}, ${LETTERS[i % 20]}.`;
};

const calculus = {
  deptCode: "MATH",
  courseNumber: "2B",
  courseTitle: "SINGLE-VAR CALCULUS",
} satisfies Partial<Section>;
const calculusSections = LETTERS.flatMap((letter, i) => [
  sectionRow({
    ...calculus,
    sectionCode: String(44_000 + 10 * i),
    sectionNum: letter,
    instructors: [nameOf(i)],
    meetings: [meeting(i % 2 === 0 ? "MWF" : "TuTh", `${8 + (i % 9)}:00`, `${8 + (i % 9)}:50`, `HALL ${100 + i}`)],
    status: i % 3 === 0 ? "FULL" : "OPEN",
    restrictions: "A and L",
  }),
  ...Array.from({ length: i === 0 ? 7 : 6 }, (_, k) =>
    sectionRow({
      ...calculus,
      sectionCode: String(44_001 + 10 * i + k),
      sectionType: "Dis",
      sectionNum: `${letter}${k + 1}`,
      units: "0",
      instructors: ["STAFF"],
      meetings: [meeting("TuTh", `${9 + k}:00`, `${9 + k}:50`, `SSL ${k}`)],
      sectionComment: "Attendance in the first week is required.",
    }),
  ),
]);

const study = { deptCode: "BIO SCI", courseNumber: "199", courseTitle: "INDEPENDENT STUDY" } satisfies Partial<Section>;
const studySections = Array.from({ length: 362 }, (_, i) =>
  sectionRow({
    ...study,
    sectionCode: String(6000 + i).padStart(5, "0"),
    sectionType: "Tut",
    sectionNum: String(i + 1),
    units: "1-4",
    instructors: [nameOf(i)],
    meetings: [tba("TBA")],
  }),
);

/** Each of 72 people in some of the years. */
const grades = Array.from({ length: 72 }, (_, i) =>
  YEARS.slice(i % 3, 3 + (i % 4)).flatMap((year, k) => [
    gradeRow({
      ...{ department: "MATH", courseNumber: "2B", year, sectionCode: String(45_000 + 10 * i + k) },
      ...{ instructors: [nameOf(i)], averageGPA: 2 + (i % 20) / 10 },
    }),
    gradeRow({
      ...{ department: "BIO SCI", courseNumber: "199", year, sectionCode: String(20_000 + 10 * i + k) },
      ...{ instructors: [nameOf(i)], averageGPA: 3 + (i % 10) / 10 },
    }),
  ]),
).flat();

const earlier = YEARS.flatMap((year) => [
  sectionRow({ ...calculus, year, sectionCode: "44000" }),
  sectionRow({ ...study, year, sectionCode: "06000" }),
]);
const sections = [...calculusSections, ...studySections, ...earlier];

const history = calculusSections.map(({ sectionCode, sectionType, sectionNum, instructors }): EnrollmentHistory => ({
  ...{ year: "2024", quarter: "Fall", department: "MATH", courseNumber: "2B", courseNumeric: 2, sectionCode },
  ...{ sectionType, sectionNum, units: "4", instructors, meetings: [], finalExam: "", imported: false },
}));
const periods = history.map(({ sectionCode }): EnrollmentPeriod => ({
  ...{ year: "2024", quarter: "Fall", month: "2024-09", sectionCode, first: "2024-09-01", last: "2024-09-30" },
  ...{ maxCapacity: "30", totalEnrolled: "12", waitlist: "0", waitlistCap: "0", requested: "12" },
  ...{ newOnlyReserved: "0", status: "OPEN", imported: false },
}));

const people = Array.from({ length: 362 }, (_, i) =>
  personRow({
    netid: `person${i}`,
    name: `Alex ${nameOf(i).split(",")[0]}`,
    shortenedName: nameOf(i),
    relatedDepartments: ["MATH", "BIO SCI"],
    courseHistory: { "MATH 2B": ["2023 Fall"], "BIO SCI 199": ["2023 Fall"] },
  }),
);
const terms = ["2024 Fall", ...YEARS.toReversed().map((year) => `${year} Fall`)];
const ids = people.map(({ netid }) => netid);

export async function openLargeWorld() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    departments: [
      { deptCode: "BIO SCI", deptName: "Biological Sciences" },
      { deptCode: "MATH", deptName: "Mathematics" },
    ],
    grades,
    courses: [
      courseRow({
        ...{ department: "MATH", courseNumber: "2B", departmentName: "Mathematics", title: "Single-Variable Calculus" },
        description: "Integrals, series and their uses. ".repeat(14),
        instructorHistory: ids.slice(0, 75),
        prerequisiteFor: Array.from({ length: 40 }, (_, i) => `MATH ${100 + i}`),
        terms,
      }),
      courseRow({
        ...{ department: "BIO SCI", courseNumber: "199", departmentName: "Biological Sciences", title: "Research" },
        instructorHistory: ids,
        terms,
      }),
    ],
    instructors: people,
    section_instructors: matchesOf([...sections, ...grades], people),
    enrollment_history: history,
    enrollment_periods: periods,
  });
  return serveFolder(folder);
}
