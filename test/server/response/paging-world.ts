/** Several rows of everything that is listed, with an enrolment history of several pieces, and questions that leave many, few and none. */
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";
import { gradeRow } from "../../pipeline/publish/scratch.ts";
import { openFolder } from "../../support/whole-run.ts";
import { courseRow, personRow } from "../../support/worlds/catalogue-rows.ts";
import { historyRow, periodRows } from "./representations/history-row.ts";
import { changeRow } from "../../support/published/published-changes.ts";
import { publishRows } from "../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../support/worlds/section-rows.ts";

const DEPARTMENTS = ["ART", "ART HIS", "CRM/LAW", "DANCE", "I&C SCI"] as const;
const departmentOf = (n: number) => DEPARTMENTS[n % DEPARTMENTS.length] ?? "ART";
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const terms = times(9, (n) => ({ year: String(2015 + n), quarter: QUARTERS[n % QUARTERS.length] ?? "Fall" }));

/** 2019 Fall has so many sections that its file is read in pieces; the other terms share one. */
const seen = [
  ...times(600, (n) => ({ year: "2019", quarter: "Fall" as const, sectionCode: String(30_000 + n), n })),
  ...times(40, (n) => ({ year: "2020", quarter: "Winter" as const, sectionCode: String(31_000 + n), n })),
  ...times(30, (n) => ({ year: "2021", quarter: "Spring" as const, sectionCode: String(32_000 + n), n })),
];

export async function openPagingWorld() {
  const folder = await openFolder();
  const sections = times(30, (n) => sectionRow({ sectionCode: String(20_000 + n) }));
  await publishRows(folder.artifacts, {
    sections,
    headings: headingsOf(sections),
    departments: DEPARTMENTS.map((deptCode) => ({ deptCode, deptName: deptCode.toLowerCase() })),
    terms: terms.map(({ year, quarter }) => ({ year, quarter, longName: `${year} ${quarter}` })),
    grades: times(400, (n) =>
      gradeRow({
        year: String(2020 + (n % 4)),
        sectionCode: String(10_000 + n),
        department: departmentOf(n),
        courseNumber: String(1 + (n % 30)),
        courseNumeric: 1 + (n % 30),
        instructors: n % 7 === 0 ? [] : [`AMBERLEY${n % 11}, R.`, `O'BRIEN, É.`],
        gradeACount: n,
      }),
    ),
    courses: times(60, (n) => courseRow({ department: departmentOf(n), courseNumber: String(n) })),
    instructors: times(25, (n) => personRow({ netid: `person${n}`, name: `Person ${n % 6}, “the” ${n}` })),
    larc: times(7, (n) => ({
      year: "2024",
      quarter: "Fall" as const,
      courseNumber: `DANCE ${n}`,
      courseName: "Movement",
      sections: times(n % 3, (i) => ({ day: "MW", time: `${i}`, instructor: "Robin Amberley", building: "ON LINE" })),
    })),
    changes: times(300, (n) => {
      const at = `2024-11-0${1 + (n % 3)}T10:00:00.000Z`;
      const draft = changeRow({ at, sectionCode: String(20_000 + n), department: departmentOf(n) });
      return { ...draft, month: at.slice(0, 7), snapshot: "0".repeat(16) };
    }),
    enrollment_history: seen.map(({ n, ...section }) => ({
      ...historyRow(section.sectionCode),
      ...section,
      department: departmentOf(n),
    })),
    enrollment_periods: seen.flatMap(({ n, ...section }) =>
      periodRows(section.sectionCode, [["2019-10-01", `2019-10-0${1 + (n % 5)}`, String(n)]]).map((period) => ({
        ...period,
        ...section,
      })),
    ),
  });
  return folder;
}

/** What is asked of each endpoint that answers with an array: everything, some, one, nothing. */
export const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  "/schedule/depts": [""],
  "/schedule/terms": [""],
  "/grades/raw": ["", "department=I%26C+SCI", "year=2021&instructor=O%27BRIEN,%20%C3%89.", "year=1999"],
  "/grades/aggregateByCourse": ["", "department=crm%2Flaw", "year=1999"],
  "/grades/aggregateByOffering": ["", "instructor=AMBERLEY3,%20R.", "year=1999"],
  "/instructors": ["", "nameContains=Person+3", "nameContains=nobody"],
  "/instructors/all": [""],
  "/courses": ["", "department=ARTHIS", "courseNumber=17", "titleContains=zzz"],
  "/courses/all": [""],
  "/calendar": ["", "quarter=Fall", "year=1999"],
  "/larc": ["year=2024&quarter=Fall", "year=2024&quarter=Winter"],
  "/changes": ["", "department=DANCE", "since=2024-11-02T10:00:00Z&kind=status,other", "year=1999"],
  "/search": ["q=dance", "q=person", "q=xqzzv"],
  "/enrollmentHistory": [
    "",
    "year=2019",
    "department=DANCE",
    "quarter=Spring&department=ART",
    "sectionCode=30007",
    "year=1999",
  ],
};
export const questions = Object.entries(QUESTIONS).flatMap(([path, queries]) =>
  queries.map((query) => ({ path, query })),
);

/** The links of a `Link` header by their relation. */
export const linksOf = (header: string | null): Record<string, string> =>
  Object.fromEntries([...(header ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));
/** Every parameter but those of paging, as they are understood. */
export const othersOf = (address: string): string[] =>
  [...new URL(address, "http://x").searchParams]
    .filter(([name]) => name !== "limit" && name !== "offset")
    .map(([name, value]) => `${name}=${value}`);
