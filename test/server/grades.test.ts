/** Grades (specification §4, behaviour §3): every filter with a near miss, every formula, every order. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grade } from "../../pipeline/contract/grade.ts";
import { courseDigits } from "../../pipeline/contract/vocabulary.ts";
import { gradeRow } from "../publish/scratch.ts";
import { openFolder } from "../world.ts";
import { openApp, type OpenedApp } from "./opened-app.ts";
import { publishRows } from "./published.ts";

const NO_GRADES = {
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
const LETTERS = { ...NO_GRADES, gradeACount: 1 };

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

/** What the predecessor published of 2022 Fall, I&C SCI 46 (field guide §7): 35740 makes 2.45 to a mean of 2.63. */
const ICS46 = [
  row("35730", {
    year: "2022",
    department: "I&C SCI",
    courseNumber: "46",
    geCategories: ["GE-5B"],
    instructors: ["GALLOWAY RODRIG, A.", "GILES, O.", "SHERWOOD, M."],
    gradeACount: 34,
    gradeBCount: 19,
    gradeCCount: 40,
    gradeDCount: 0,
    gradeFCount: 18,
    gradePCount: 3,
    gradeNPCount: 5,
    gradeWCount: 4,
    averageGPA: 2.45,
  }),
  row("35740", {
    year: "2022",
    department: "I&C SCI",
    courseNumber: "46",
    geCategories: ["GE-5B"],
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
const EIGHT = [3.01, 3.22, 2.87, 3.4, 3.05, 3.3, 2.95, 3.13].map((averageGPA, n) =>
  row(String(40_000 + n), {
    year: "2021",
    department: "COMPSCI",
    courseNumber: "111",
    instructors: ["MARLOWE, A."],
    averageGPA,
  }),
);

const ROWS: readonly Grade[] = [
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

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  await publishRows(folder.artifacts, { grades: ROWS });
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});

type Counts = Record<string, number>;
type Named = Counts & { department: string; courseNumber: string; instructor: string };
interface Aggregate {
  sectionList: { sectionCode: string; instructors: string[] }[];
  gradeDistribution: Counts;
}

async function get<T>(path: string): Promise<T> {
  const response = await app.get(`/grades/${path}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}
const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();
const codesOf = async (filters: Record<string, string>) =>
  (await get<Grade[]>(`raw?${query(filters)}`)).map(({ year, sectionCode }) => `${year} ${sectionCode}`);

describe("each filter, with a near miss", () => {
  it.each<[filters: Record<string, string>, codes: string[]]>([
    [{ year: "2022", sectionCode: "01005" }, ["2022 01005"]],
    [{ sectionCode: "01005" }, ["2020 01005", "2022 01005"]],
    [{ sectionCode: "10050" }, []],
    [{ year: "2023" }, []],
    [{ quarter: "Summer1" }, ["2022 01002"]],
    [{ quarter: "Summer2" }, ["2022 01004"]],
    [{ quarter: "Summer10wk" }, ["2022 01003"]],
    // "instructor equals a shortened name, ignoring case"
    [{ instructor: "LEE, K.", year: "2022" }, ["2022 01000"]],
    [{ instructor: "lee, k.", year: "2022" }, ["2022 01000"]],
    [{ instructor: "LEE, K" }, []],
    [{ instructor: "LEE" }, []],
    [{ instructor: "LEE," }, []],
    // Any of several instructors.
    [{ instructor: "giles, o." }, ["2022 35730"]],
    // "department as in the schedule": equal but for case and blanks, so ART is not ART HIS.
    [{ department: "ART", quarter: "Winter" }, []],
    [{ department: "arthis" }, ["2022 01001"]],
    [{ department: "ART HIS" }, ["2022 01001"]],
    [{ department: "I&CSCI" }, ["2022 35730", "2022 35740"]],
    [{ department: "i&c sci" }, ["2022 35730", "2022 35740"]],
    [{ department: "SCI" }, []],
    // "courseNumber equals, ignoring case"
    [{ courseNumber: "h100w" }, ["2022 01005"]],
    [{ courseNumber: "100" }, ["2022 01002"]],
    [{ courseNumber: "9" }, ["2022 01000"]],
    [{ courseNumber: "100-199" }, []],
    // LowerDiv 0–99, UpperDiv 100–199, Graduate from 200 on; no digits = 0.
    [{ department: "ART", division: "LowerDiv" }, ["2020 01005", "2022 01000"]],
    [{ department: "ART", division: "UpperDiv" }, ["2022 01002", "2022 01003", "2022 01005"]],
    [{ department: "ART", division: "Graduate" }, ["2022 01004"]],
    [{ ge: "GE-8" }, ["2022 01001"]],
    [{ ge: "GE-4" }, ["2022 01001", "2022 01000"]],
    [{ ge: "GE-5A" }, []],
    // "excludePNP=true drops sections in which A–F are all zero"
    [{ department: "DANCE", excludePNP: "true" }, ["2019 02001"]],
    [{ department: "DANCE", excludePNP: "false" }, ["2018 02002", "2019 02000", "2019 02001"]],
    [{ department: "DANCE" }, ["2018 02002", "2019 02000", "2019 02001"]],
    // No filter.
    [{ department: "DANCE", ge: "ANY", division: "ANY", quarter: "ANY" }, ["2018 02002", "2019 02000", "2019 02001"]],
    [{ department: "ALL", courseNumber: "20" }, ["2018 02002"]],
    [{ department: "ANY", courseNumber: "20" }, ["2018 02002"]],
    // Combined.
    [{ department: "ART", ge: "GE-8" }, []],
    [
      {
        department: "ART",
        ge: "GE-4",
        year: "2022",
        quarter: "Spring",
        courseNumber: "9",
        sectionCode: "01000",
        division: "LowerDiv",
        instructor: "LEE, K.",
        excludePNP: "true",
      },
      ["2022 01000"],
    ],
    [
      {
        department: "ART",
        ge: "GE-4",
        year: "2022",
        quarter: "Spring",
        courseNumber: "9",
        sectionCode: "01000",
        division: "UpperDiv",
        instructor: "LEE, K.",
        excludePNP: "true",
      },
      [],
    ],
  ])("%o", async (filters, codes) => {
    expect(await codesOf(filters)).toEqual(codes);
    // The five views answer the same question.
    const { sectionList } = await get<Aggregate>(`aggregate?${query(filters)}`);
    expect(sectionList.map(({ sectionCode }) => sectionCode)).toEqual(codes.map((code) => code.slice(5)));
    const { sectionCodes } = await get<{ sectionCodes: string[] }>(`options?${query(filters)}`);
    expect(sectionCodes).toEqual([...new Set(codes.map((code) => code.slice(5)))].sort());
  });
});

describe("orders", () => {
  it("raw and sectionList: year, quarter in calendar order, section code", async () => {
    const expected = [
      "2018 02002",
      "2019 02000",
      "2019 02001",
      "2020 01005",
      ...EIGHT.map(({ sectionCode }) => `2021 ${sectionCode}`),
    ];
    expected.push(
      "2022 01001",
      "2022 01000",
      "2022 01002",
      "2022 01003",
      "2022 01004",
      "2022 01005",
      "2022 35730",
      "2022 35740",
    );
    expect(await codesOf({})).toEqual(expected);
    const { sectionList } = await get<Aggregate>("aggregate");
    expect(sectionList.map(({ sectionCode }) => sectionCode)).toEqual(expected.map((code) => code.slice(5)));
  });

  it("aggregateByCourse: department, then course number by digits, then text", async () => {
    const rows = await get<Named[]>("aggregateByCourse");
    expect(rows.map(({ department, courseNumber }) => `${department} ${courseNumber}`)).toEqual([
      "ART W",
      "ART 9",
      "ART 100",
      "ART H100W",
      "ART 199",
      "ART 200",
      "ART HIS 99",
      "COMPSCI 111",
      "DANCE 10",
      "DANCE 20",
      "I&C SCI 46",
    ]);
  });

  it("aggregateByOffering: the same, then instructor", async () => {
    const rows = await get<Named[]>("aggregateByOffering");
    expect(
      rows.map(({ department, courseNumber, instructor }) => `${department} ${courseNumber} ${instructor}`),
    ).toEqual([
      "ART 9 LEE, K.",
      "ART 100 GREENLEE, K.",
      "ART HIS 99 LEE, KA.",
      "COMPSCI 111 MARLOWE, A.",
      "DANCE 10 LEE, K.",
      "DANCE 20 ONE, A.",
      "I&C SCI 46 GALLOWAY RODRIG, A.",
      "I&C SCI 46 GILES, O.",
      "I&C SCI 46 SHERWOOD, M.",
    ]);
  });

  it("options: years newest first, course numbers by digits then text, the rest ascending", async () => {
    const all = await get<Record<string, string[]>>("options");
    expect(all["years"]).toEqual(["2022", "2021", "2020", "2019", "2018"]);
    expect(all["departments"]).toEqual(["ART", "ART HIS", "COMPSCI", "DANCE", "I&C SCI"]);
    expect(all["courseNumbers"]).toEqual(["W", "9", "10", "20", "46", "99", "100", "H100W", "111", "199", "200"]);
    expect(all["sectionCodes"]).toEqual([...new Set(ROWS.map(({ sectionCode }) => sectionCode))].sort());
    expect(all["instructors"]).toEqual([...new Set(ROWS.flatMap(({ instructors }) => instructors))].sort());
  });

  it("options under filters: only what the matching rows hold", async () => {
    expect(await get("options?department=I%26CSCI&instructor=sherwood,+m.")).toEqual({
      years: ["2022"],
      departments: ["I&C SCI"],
      courseNumbers: ["46"],
      sectionCodes: ["35730", "35740"],
      instructors: ["GALLOWAY RODRIG, A.", "GILES, O.", "SHERWOOD, M."],
    });
  });
});

describe("numbers", () => {
  it("the records office's two sections of I&C SCI 46", async () => {
    const { gradeDistribution } = await get<Aggregate>("aggregate?year=2022&quarter=Fall&courseNumber=46");
    expect(gradeDistribution).toEqual({
      gradeACount: 95,
      gradeBCount: 83,
      gradeCCount: 103,
      gradeDCount: 0,
      gradeFCount: 33,
      gradePCount: 4,
      gradeNPCount: 7,
      gradeWCount: 10,
      averageGPA: 2.63,
    });
    expect((await get<Grade[]>("raw?sectionCode=35730"))[0]).toEqual({
      year: "2022",
      quarter: "Fall",
      sectionCode: "35730",
      department: "I&C SCI",
      courseNumber: "46",
      courseNumeric: 46,
      geCategories: ["GE-5B"],
      gradeACount: 34,
      gradeBCount: 19,
      gradeCCount: 40,
      gradeDCount: 0,
      gradeFCount: 18,
      gradePCount: 3,
      gradeNPCount: 5,
      gradeWCount: 4,
      averageGPA: 2.45,
      instructors: ["GALLOWAY RODRIG, A.", "GILES, O.", "SHERWOOD, M."],
    });
  });

  it('"plain mean of the sections\' averageGPA …, exact decimal arithmetic, unrounded (3.11625)"', async () => {
    expect((await get<Named[]>("aggregateByCourse?department=COMPSCI"))[0]).toEqual({
      ...LETTERS,
      gradeACount: 8,
      averageGPA: 3.11625,
      department: "COMPSCI",
      courseNumber: "111",
    });
    const text = await (await app.get("/grades/aggregateByOffering?department=COMPSCI")).text();
    expect(text).toContain('"averageGPA":3.11625}');
  });

  it('"over sections with at least one letter grade": F alone counts with its 0.00, Pass/No-Pass does not', async () => {
    const of = async (filters: string) => (await get<Aggregate>(`aggregate?${filters}`)).gradeDistribution;
    expect(await of("department=DANCE&courseNumber=10")).toMatchObject({
      gradePCount: 9,
      gradeNPCount: 2,
      gradeFCount: 4,
      gradeWCount: 1,
      averageGPA: 0,
    });
    expect((await of("instructor=SHERWOOD,+M."))["averageGPA"]).toBe(2.63);
    expect(await of("sectionCode=02000")).toEqual({ ...NO_GRADES, gradePCount: 9, gradeNPCount: 2, gradeWCount: 1 });
    // 3.00, Pass/No-Pass only, and 0.00 for four F grades.
    expect((await of("instructor=LEE,+K."))["averageGPA"]).toBe(1.5);
  });

  it("no rows: zeros and empty lists", async () => {
    const nothing = "year=2022&department=DANCE";
    expect(await get(`raw?${nothing}`)).toEqual([]);
    expect(await get(`aggregate?${nothing}`)).toEqual({ sectionList: [], gradeDistribution: NO_GRADES });
    expect(await get(`options?${nothing}`)).toEqual({
      years: [],
      departments: [],
      courseNumbers: [],
      sectionCodes: [],
      instructors: [],
    });
    expect(await get(`aggregateByCourse?${nothing}`)).toEqual([]);
    expect(await get(`aggregateByOffering?${nothing}`)).toEqual([]);
  });

  it('"a section with three instructors counts once per course and once per instructor"', async () => {
    const [course] = await get<Named[]>("aggregateByCourse?department=I%26CSCI");
    expect([course?.gradeACount, course?.averageGPA]).toEqual([95, 2.63]);
    const offerings = await get<Named[]>("aggregateByOffering?department=I%26CSCI");
    expect(offerings.map(({ instructor, gradeACount, averageGPA }) => [instructor, gradeACount, averageGPA])).toEqual([
      ["GALLOWAY RODRIG, A.", 34, 2.45],
      ["GILES, O.", 34, 2.45],
      ["SHERWOOD, M.", 95, 2.63],
    ]);
    // Named twice on one section: once.
    const [dance] = await get<Named[]>("aggregateByOffering?sectionCode=02001");
    expect(dance?.gradeFCount).toBe(4);
  });

  it('"aggregateByOffering with `instructor` given: only that instructor\'s records"', async () => {
    const rows = await get<Named[]>("aggregateByOffering?instructor=giles,+o.");
    expect(rows.map(({ instructor, gradeACount }) => [instructor, gradeACount])).toEqual([["GILES, O.", 34]]);
  });

  it('"Sections without a named instructor do not appear in aggregateByOffering"', async () => {
    expect(await get("aggregateByOffering?sectionCode=01003")).toEqual([]);
    expect(await get<Named[]>("aggregateByCourse?sectionCode=01003")).toHaveLength(1);
  });

  it('"the two aggregateBy endpoints equal running one aggregate query per course number"', async () => {
    for (const { department, courseNumber, ...counts } of await get<Named[]>("aggregateByCourse")) {
      const { gradeDistribution } = await get<Aggregate>(`aggregate?${query({ department, courseNumber })}`);
      expect(counts).toEqual(gradeDistribution);
    }
    for (const { department, courseNumber, instructor, ...counts } of await get<Named[]>("aggregateByOffering")) {
      const { gradeDistribution } = await get<Aggregate>(
        `aggregate?${query({ department, courseNumber, instructor })}`,
      );
      expect(counts).toEqual(gradeDistribution);
    }
  });
});
