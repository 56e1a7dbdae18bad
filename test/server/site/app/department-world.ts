/**
 * A department of 300 courses, in terms around today, and its people: one who graded for years, one who never did, two who share a name, one whom the
 * directory does not have.
 */
import type { Grade } from "../../../../pipeline/contract/rows/grade.ts";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { publishRows } from "../../../support/published/published.ts";
import { openFolder, serveFolder } from "../../../support/whole-run.ts";
import { courseRow, personRow } from "../../../support/worlds/catalogue-rows.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";
import { openForAll } from "./opened-page.ts";

const DAY_MS = 86_400_000;
/** `YYYY-MM-DD`, some days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const DEPARTMENT = "COMPSCI";
const YEARS = ["2021", "2022", "2023", "2024"];

/** By number: every third has four units, every fifth is never taught in Winter, every seventh has no grades. */
const numbers = Array.from({ length: 300 }, (_, i) => i + 1);
const termsOf = (number: number): string[] => {
  const quarters = number % 5 === 0 ? ["Fall"] : ["Winter", "Fall"];
  // Some were given up long ago.
  const years = number % 11 === 0 ? YEARS.slice(0, 1) : YEARS;
  return years.toReversed().flatMap((year) => quarters.toReversed().map((quarter) => `${year} ${quarter}`));
};
const courses = [
  ...numbers.map((number) =>
    courseRow({
      department: DEPARTMENT,
      departmentName: "Computer Science",
      courseNumber: String(number),
      title: `Title of ${number}`,
      minUnits: number % 3 === 0 ? 4 : number % 4 === 0 ? 1 : 2,
      maxUnits: number % 3 === 0 ? 4 : number % 4 === 0 ? 12 : 2,
      terms: termsOf(number),
    }),
  ),
  courseRow({ department: "CRM/LAW", courseNumber: "C7", title: "Bare", departmentName: "", description: "" }),
];

interface Graded {
  readonly number: number;
  readonly year: string;
  readonly students: number;
  readonly gpa: number;
  readonly by?: string;
}
const graded = ({ number, year, students, gpa, by = "AMBERLEY, R." }: Graded, i: number): Grade =>
  gradeRow({
    year,
    quarter: "Fall",
    department: DEPARTMENT,
    courseNumber: String(number),
    courseNumeric: number,
    geCategories: [],
    sectionCode: String(34_000 + i),
    instructors: [by],
    averageGPA: gpa,
    gradeACount: students - 2,
    gradeBCount: 1,
    gradeCCount: 1,
    gradeDCount: 0,
    gradeFCount: 0,
    gradePCount: number % 2,
    gradeNPCount: 0,
    gradeWCount: 0,
  });

const grades = [
  ...numbers
    .filter((number) => number % 7 !== 0)
    .map((number): Graded => ({
      number,
      year: "2023",
      students: 15 + (number % 40),
      gpa: 2 + (number % 199) / 100,
      by: "OTHER, O.",
    })),
  { number: 101, year: "2021", students: 40, gpa: 2.5 },
  { number: 101, year: "2022", students: 60, gpa: 3.5 },
  { number: 102, year: "2022", students: 9, gpa: 3.9 },
  { number: 103, year: "2022", students: 30, gpa: 3.1, by: "TWIN, T." },
  { number: 103, year: "2022", students: 30, gpa: 3.2, by: "NOBODY, N." },
  { number: 106, year: "2022", students: 30, gpa: 3.2, by: "PAIR, P." },
].map(graded);

const inTerm = (year: string, quarter: "Fall" | "Winter", number: string, sectionCode: string, by: string) =>
  sectionRow({
    year,
    quarter,
    deptCode: DEPARTMENT,
    courseNumber: number,
    courseTitle: `TITLE OF ${number}`,
    schoolName: "School of Computing",
    sectionCode,
    instructors: [by],
  });
const sections = [
  ...YEARS.slice(0, 3).flatMap((year) => [
    inTerm(year, "Fall", "101", "01001", "AMBERLEY, R."),
    inTerm(year, "Winter", "101", "01001", "AMBERLEY, R."),
  ]),
  inTerm("2024", "Winter", "101", "01001", "OTHER, O."),
  inTerm("2024", "Fall", "101", "01001", "AMBERLEY, R."),
  { ...inTerm("2024", "Fall", "102", "01002", "AMBERLEY, R."), cancelled: true, sectionComment: "***  CANCELLED  ***" },
  inTerm("2025", "Winter", "103", "01003", "AMBERLEY, R."),
  inTerm("2025", "Winter", "104", "01004", "NOBODY, N."),
  inTerm("2025", "Winter", "106", "01006", "PAIR, P."),
];

/** Both twins are of the department, of the pair only one. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  "AMBERLEY, R.": ["ramberley"],
  "TWIN, T.": ["twina", "twinb"],
  "PAIR, P.": ["paira"],
};
const sectionInstructors = [...sections, ...grades].flatMap(({ year, quarter, sectionCode, instructors }) =>
  instructors.flatMap((name) => {
    const netids = MEANT[name] ?? [];
    const matchedBy = netids.length === 0 ? ("none" as const) : ("department" as const);
    const row = { year, quarter, sectionCode, department: DEPARTMENT, name, matchedBy, candidates: netids.length };
    return (netids.length === 0 ? [null] : netids).map((netid) => ({ ...row, netid }));
  }),
);

async function openDepartmentWorld() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    departments: [{ deptCode: DEPARTMENT, deptName: "Computer Science" }],
    courses,
    grades,
    section_instructors: sectionInstructors,
    instructors: [
      personRow({
        department: "Computer Science",
        relatedDepartments: [DEPARTMENT],
        courseHistory: { "COMPSCI 101": ["2024 Fall", "2022 Fall", "2021 Fall"], "COMPSCI 104": ["2020 Spring"] },
      }),
      personRow({ netid: "newcomer", name: "Nora Ålund-Øre", shortenedName: "ÅLUND-ØRE, N.", email: "", title: "" }),
      personRow({ netid: "twina", name: "Tara Twin", shortenedName: "TWIN, T." }),
      personRow({ netid: "twinb", name: "Tom Twin", shortenedName: "TWIN, T." }),
      personRow({ netid: "paira", name: "Pia Pair", shortenedName: "PAIR, P." }),
      personRow({ netid: "pairb", name: "Poul Pair", shortenedName: "PAIR, P." }),
    ],
    calendar: [
      // The names of terms need not fit the season.
      ["2024", "Fall", -30, 40],
      ["2025", "Winter", 60, 130],
    ].map(([year, quarter, from, to]) => ({
      year: String(year),
      quarter: quarter as "Fall",
      instructionStart: inDays(Number(from)),
      instructionEnd: inDays(Number(to) - 7),
      finalsStart: inDays(Number(to) - 6),
      finalsEnd: inDays(Number(to)),
    })),
  });
  return serveFolder(folder);
}

/** For tests that only read. */
export const departmentWorld = openForAll(openDepartmentWorld);
export type DepartmentWorld = Awaited<ReturnType<typeof openDepartmentWorld>>;
