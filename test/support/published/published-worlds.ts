/** A sequence of small worlds, each published an hour after the one before: each time other tables change. */
import type { Publication } from "../../../pipeline/store/published.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { historyRow, periodRows } from "../../server/response/representations/history-row.ts";
import { courseRow, personRow } from "../worlds/catalogue-rows.ts";
import { type PublishedRows, publishRows } from "./published.ts";
import { headingsOf, sectionRow } from "../worlds/section-rows.ts";

const CODES = Array.from({ length: 12 }, (_, n) => String(10_000 + n));

/** The rows of one table as of a version; each version differs. */
const WORLD: { readonly [table: string]: (version: number) => PublishedRows } = {
  sections(version) {
    const sections = CODES.slice(version % 3).map((sectionCode, n) =>
      sectionRow({
        sectionCode,
        courseNumber: String(10 + (n % 3)),
        status: (n + version) % 2 === 0 ? "OPEN" : "FULL",
        numOnWaitlist: String(version),
        deptCode: n % 2 === 0 ? "DANCE" : "I&C SCI",
      }),
    );
    return { sections, headings: headingsOf(sections) };
  },
  otherTerm: (version) => {
    const sections = [sectionRow({ year: "2025", quarter: "Winter", numRequested: String(version) })];
    return { sections, headings: headingsOf(sections) };
  },
  grades: (version) => ({
    grades: CODES.map((sectionCode, n) =>
      gradeRow({ sectionCode, gradeACount: version * 10 + n, department: n % 2 === 0 ? "DANCE" : `NEW ${version}` }),
    ),
  }),
  courses: (version) => ({
    courses: [courseRow({ title: `Movement ${version}` }), courseRow({ courseNumber: String(20 + version) })],
  }),
  instructors: (version) => ({ instructors: [personRow({ title: `Lecturer of ${version} years` })] }),
  people: (version) => ({
    section_instructors: CODES.map((sectionCode) => ({
      ...{ year: "2024", quarter: "Fall", sectionCode, department: "DANCE", name: "AMBERLEY, R." },
      ...{ netid: `ramberl${version}`, matchedBy: "name", candidates: 1 },
    })),
  }),
  calendar: (version) => ({
    calendar: [
      {
        year: "2024",
        quarter: "Fall",
        instructionStart: `2024-09-${20 + (version % 7)}`,
        instructionEnd: "2024-12-06",
        finalsStart: "2024-12-07",
        finalsEnd: "2024-12-13",
      },
    ],
  }),
  larc: (version) => ({
    larc: [
      {
        year: "2024",
        quarter: "Fall",
        courseNumber: "DANCE 10",
        courseName: `Movement ${version}`,
        sections: [{ day: "MW", time: "9:00-9:50a", instructor: "Robin Amberley", building: "ON LINE" }],
      },
    ],
  }),
  listings: (version) => ({
    departments: [{ deptCode: "DANCE", deptName: `Dance ${version}` }],
    terms: [{ year: "2024", quarter: "Fall", longName: `${version} Fall Quarter` }],
  }),
  enrollment: (version) => ({
    enrollment_history: ["10000", "10001"].map(historyRow),
    enrollment_periods: periodRows("10000", [["2019-10-01", "2019-10-04", String(version)]]),
  }),
};
export const PARTS = Object.keys(WORLD);

export const FIRST_HOUR = new Date("2024-11-01T07:00:00.000Z");
export const hour = (version: number): Date => new Date(FIRST_HOUR.getTime() + version * 3_600_000);

/** Publishes this version of the given parts; all others stay unchanged. `derive` publishes files of views too. */
export const publishVersion = (
  artifacts: string,
  version: number,
  parts: readonly string[],
  { derive = false } = {},
): Promise<Publication> =>
  publishRows(artifacts, Object.assign({}, ...merged(parts.map((part) => WORLD[part]?.(version) ?? {}))), {
    now: hour(version),
    derive,
  });

/** Two terms are rows of one table. */
function merged(all: readonly PublishedRows[]): PublishedRows[] {
  const rows: Record<string, unknown[]> = {};
  for (const part of all) for (const [table, more] of Object.entries(part)) (rows[table] ??= []).push(...more);
  return [rows as PublishedRows];
}
