/** Grades (specification §4, server/RULES.md, Grades): every formula. */
import { afterAll, expect, it } from "vitest";
import type { Grade } from "../../../../pipeline/contract/rows/grade.ts";
import {
  type Aggregate,
  ICS46,
  LETTERS,
  type Named,
  NO_GRADES,
  openGrades,
  query,
} from "../../../support/worlds/grade-rows.ts";

const { get, getText, close } = await openGrades();
afterAll(close);

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
  const { sheetOnly: _, exportFile: _f, exportSha256: _h, exportSheet: _s, exportRow: _r, ...published } = ICS46[0];
  expect(await get<Grade[]>("raw?sectionCode=35730")).toEqual([published]);
});

it('"plain mean of the sections\' averageGPA …, exact decimal arithmetic, unrounded (3.11625)"', async () => {
  expect((await get<Named[]>("aggregateByCourse?department=COMPSCI"))[0]).toEqual({
    ...LETTERS,
    gradeACount: 8,
    averageGPA: 3.11625,
    department: "COMPSCI",
    courseNumber: "111",
  });
  const text = await getText("aggregateByOffering?department=COMPSCI");
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
    const { gradeDistribution } = await get<Aggregate>(`aggregate?${query({ department, courseNumber, instructor })}`);
    expect(counts).toEqual(gradeDistribution);
  }
});
