/**
 * Two dozen sections with grades in which every filter, formula and order of the specification has its case, and how to
 * ask about them.
 */
import { expect } from "vitest";
import type { Grade } from "../../../pipeline/contract/rows/grade.ts";
import { courseDigits } from "../../../pipeline/contract/vocabulary.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder } from "../whole-run.ts";
import { openApp } from "../published/opened-app.ts";
import { publishRows } from "../published/published.ts";

export const NO_GRADES = {
  gradeACount: 0,
  gradeBCount: 0,
  gradeCCount: 0,
  gradeDCount: 0,
  gradeFCount: 0,
  gradePCount: 0,
  gradeNPCount: 0,
  gradeWCount: 0,
  averageGPA: 0,
};
export const LETTERS = { ...NO_GRADES, gradeACount: 1 };

const row = (sectionCode: string, change: Partial<Grade> = {}): Grade => {
  const made = gradeRow({
    ...NO_GRADES,
    ...LETTERS,
    averageGPA: 3,
    instructors: [],
    geCategories: [],
    ...change,
    sectionCode,
  });
  return { ...made, courseNumeric: courseDigits(made.courseNumber) };
};

/** Rows that the predecessor published for 2022 Fall, I&C SCI 46: 35740 makes 2.45 to a mean of 2.63. */
export const ICS46: readonly [Grade, Grade] = [
  gradeRow({
    year: "2022",
    sectionCode: "35730",
    instructors: ["GALLOWAY RODRIG, A.", "GILES, O.", "SHERWOOD, M."],
  }),
  gradeRow({
    year: "2022",
    sectionCode: "35740",
    instructors: ["SHERWOOD, M."],
    gradeACount: 61,
    gradeBCount: 64,
    gradeCCount: 63,
    gradeDCount: 0,
    gradeFCount: 15,
    gradePCount: 1,
    gradeNPCount: 2,
    gradeWCount: 6,
    averageGPA: 2.81,
  }),
];

/** Eight averages of two decimals whose plain mean is 3.11625. */
export const EIGHT = [3.01, 3.22, 2.87, 3.4, 3.05, 3.3, 2.95, 3.13].map((averageGPA, n) =>
  row(String(40_000 + n), {
    year: "2021",
    department: "COMPSCI",
    courseNumber: "111",
    instructors: ["MARLOWE, A."],
    averageGPA,
  }),
);

export const ROWS: readonly Grade[] = [
  ...ICS46,
  ...EIGHT,
  row("01000", {
    year: "2022",
    quarter: "Spring",
    department: "ART",
    courseNumber: "9",
    instructors: ["LEE, K."],
    geCategories: ["GE-4"],
  }),
  row("01001", {
    year: "2022",
    quarter: "Winter",
    department: "ART HIS",
    courseNumber: "99",
    instructors: ["LEE, KA."],
    geCategories: ["GE-4", "GE-8"],
  }),
  row("01002", {
    year: "2022",
    quarter: "Summer1",
    department: "ART",
    courseNumber: "100",
    instructors: ["GREENLEE, K."],
  }),
  row("01003", { year: "2022", quarter: "Summer10wk", department: "ART", courseNumber: "199", instructors: [] }),
  row("01004", { year: "2022", quarter: "Summer2", department: "ART", courseNumber: "200" }),
  row("01005", { year: "2022", quarter: "Fall", department: "ART", courseNumber: "H100W" }),
  row("01005", { year: "2020", quarter: "Fall", department: "ART", courseNumber: "W" }),
  // Pass/No-Pass only; F grades only; nobody but withdrawn ones.
  row("02000", {
    ...NO_GRADES,
    year: "2019",
    department: "DANCE",
    courseNumber: "10",
    gradePCount: 9,
    gradeNPCount: 2,
    gradeWCount: 1,
    instructors: ["LEE, K."],
  }),
  row("02001", {
    ...NO_GRADES,
    year: "2019",
    department: "DANCE",
    courseNumber: "10",
    gradeFCount: 4,
    averageGPA: 0,
    instructors: ["LEE, K.", "LEE, K."],
  }),
  row("02002", {
    ...NO_GRADES,
    year: "2018",
    department: "DANCE",
    courseNumber: "20",
    gradeWCount: 1,
    instructors: ["ONE, A."],
  }),
];

type Counts = Record<string, number>;
export type Named = Counts & { department: string; courseNumber: string; instructor: string };
export interface Aggregate {
  sectionList: { sectionCode: string; instructors: string[] }[];
  gradeDistribution: Counts;
}

export const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

/** The application over these rows. */
export async function openGrades() {
  const folder = await openFolder();
  await publishRows(folder.artifacts, { grades: ROWS });
  const app = await openApp(folder.artifacts);
  async function getText(path: string): Promise<string> {
    const response = await app.get(`/grades/${path}`);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }
  const get = async <T>(path: string): Promise<T> => JSON.parse(await getText(path)) as T;
  return {
    get,
    getText,
    codesOf: async (filters: Record<string, string>) =>
      (await get<Grade[]>(`raw?${query(filters)}`)).map(({ year, sectionCode }) => `${year} ${sectionCode}`),
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}
