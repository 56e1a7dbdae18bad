/** Random questions over the visible world's grades: the five views equal a plain implementation of server/RULES.md, Grades. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grade } from "../../../../pipeline/contract/rows/grade.ts";
import { testWorlds } from "../../../support/worlds/worlds.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { assertAtOnce } from "../../../support/at-once.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { type GradeFilters, type PlainGrade, plainGrades } from "../../../support/oracles/plain-grades.ts";
import { gradeRow } from "../../../pipeline/publish/scratch.ts";
import { publishRows } from "../../../support/published/published.ts";

const RUNS = 500;
/** A machine that does other things as well may take its time. */
const PATIENCE_MS = 240_000;
const divisionOf = ({ courseNumeric }: PlainGrade) =>
  courseNumeric < 100 ? "LowerDiv" : courseNumeric < 200 ? "UpperDiv" : "Graduate";
const VIEWS = ["raw", "aggregate", "options", "aggregateByCourse", "aggregateByOffering"] as const;

describe.each(testWorlds)("grades of $name", (testWorld) => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let app: OpenedApp;
  let rows: PlainGrade[];
  /** Rows without an average: nobody was given a letter. */
  let unlettered: number;

  beforeAll(async () => {
    const world = testWorld.read();
    unlettered = world.grades.filter(({ averageGPA }) => averageGPA === null).length;
    rows = world.grades.map(({ courseTitle: _t, sectionType: _s, sectionNum: _n, departmentName: _d, ...row }) => ({
      ...row,
      courseNumeric: Number(row.courseNumber.replace(/\D/g, "")),
    }));
    folder = await openFolder();
    await publishRows(folder.artifacts, { grades: rows.map((row) => gradeRow(row as Partial<Grade>)) });
    app = await openApp(folder.artifacts, undefined, { judgedEvery: 10 });
  });
  afterAll(async () => {
    await app?.close();
    await folder?.remove();
  });

  const cases = (text: string) =>
    fc.constantFrom(text, text.toLowerCase(), text.toUpperCase(), text.replaceAll(" ", ""));

  /** Filters that some row has, now and then with one of another row. */
  const question = fc
    .record({ at: fc.nat(), other: fc.nat(), mixed: fc.integer({ min: 0, max: 3 }) })
    .chain(({ at, other, mixed }) => {
      const own = rows[at % rows.length] as PlainGrade;
      const row = mixed === 0 ? (rows[other % rows.length] as PlainGrade) : own;
      const name = row.instructors[other % Math.max(1, row.instructors.length)] ?? "NOBODY, A.";
      const any: Readonly<Record<keyof GradeFilters, fc.Arbitrary<string>>> = {
        year: fc.constantFrom(own.year, row.year),
        quarter: fc.constantFrom(own.quarter, own.quarter, row.quarter, "ANY"),
        instructor: fc.constantFrom(name, name.toLowerCase(), name.slice(0, -1)),
        department: fc.oneof(cases(own.department), fc.constantFrom("ALL", `ART,${own.department}`)),
        courseNumber: fc.constantFrom(row.courseNumber.toLowerCase(), `${own.courseNumber}, ${row.courseNumber}`),
        sectionCode: fc.constant(own.sectionCode),
        division: fc.constantFrom(divisionOf(own), divisionOf(own), "Graduate", "ANY"),
        ge: fc.constantFrom(own.geCategories[0] ?? "ANY", row.geCategories[0] ?? "GE-4"),
        excludePNP: fc.constantFrom("true", "false"),
      };
      return fc
        .subarray(Object.keys(any) as (keyof GradeFilters)[], { minLength: 1, maxLength: 5 })
        .chain((names) =>
          fc.record(Object.fromEntries(names.map((one) => [one, any[one]]))),
        ) as fc.Arbitrary<GradeFilters>;
    });

  const ask = async (view: string, filters: GradeFilters): Promise<unknown> =>
    (await app.get(`/grades/${view}?${new URLSearchParams(filters)}`)).json();

  it(
    `${RUNS} random combinations of filters, one view each`,
    async () => {
      let matched = 0;
      await assertAtOnce(
        fc.tuple(question, fc.constantFrom(...VIEWS)),
        async ([filters, view]) => {
          const plain = plainGrades(rows, filters);
          if (plain.raw().length > 0) matched++;
          const expected: unknown = plain[view]();
          const answer = await ask(view, filters);
          // Thousands of rows: the quick comparison first, the one that explains where they differ.
          if (!isDeepStrictEqual(answer, expected)) expect(answer).toEqual(expected);
        },
        { numRuns: RUNS },
      );
      // Questions that match nothing prove little.
      expect(matched).toBeGreaterThan(RUNS / 3);
    },
    PATIENCE_MS,
  );

  it("each filter alone, and none, in every view", async () => {
    const alone: GradeFilters[] = [
      {},
      { year: "2017" },
      { quarter: "Summer1" },
      { department: "I&C SCI" },
      { division: "Graduate" },
      { ge: "GE-5B" },
      { excludePNP: "true" },
      { courseNumber: "46" },
    ];
    for (const filters of alone)
      for (const view of VIEWS) expect(await ask(view, filters)).toEqual(plainGrades(rows, filters)[view]());
    expect(plainGrades(rows, { excludePNP: "true" }).raw().length).toBe(rows.length - unlettered);
    expect(unlettered).toBeGreaterThan(0);
  });
});
