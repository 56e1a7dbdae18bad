/** Original sheets compared with the expected result of every row, and whole worlds in every form of delivery. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Grade, SheetExport, SheetRow } from "../../../pipeline/contract/rows/grade.ts";
import { createDepartmentNames } from "../../../pipeline/normalize/people/department-names.ts";
import { toGrades } from "../../../pipeline/normalize/grades/grade.ts";
import type { CandidateSection, SectionLookup } from "../../../pipeline/normalize/grades/section-match.ts";
import { parseGradeSheet } from "../../../pipeline/parse/sheets/grades-sheet.ts";
import { createTally } from "../../../pipeline/contract/documents/tally.ts";
import { createClient } from "../../../pipeline/sources/client/http.ts";
import { fetchExport, readRecordsIndex } from "../../../pipeline/sources/records.ts";
import { someOf } from "../../support/extent.ts";
import { shared } from "../../support/shared.ts";
import type { Upstream } from "../../support/upstream/upstream.ts";
import type { World } from "../../support/worlds/world.ts";
import { testWorlds } from "../../support/worlds/worlds.ts";

function factsOf({ sections, departments }: World): SectionLookup {
  const names = new Map(departments.map(({ code, name }) => [code, name]));
  const terms = new Map<string, Map<string, Map<string, CandidateSection>>>();
  for (const { year, quarter, sectionCode, deptCode, ...section } of sections) {
    const quarters = terms.get(year) ?? new Map<string, Map<string, CandidateSection>>();
    const codes = quarters.get(quarter) ?? new Map<string, CandidateSection>();
    const departmentName = names.get(deptCode);
    codes.set(sectionCode, { ...section, department: deptCode, ...(departmentName ? { departmentName } : {}) });
    terms.set(year, quarters.set(quarter, codes));
  }
  return {
    isPublished: ({ year, quarter }) => terms.get(year)?.has(quarter) ?? false,
    find: ({ year, quarter }, code) => terms.get(year)?.get(quarter)?.get(code),
    departmentByName: createDepartmentNames(departments.map(({ code, name }) => [name, code])),
  };
}

const withoutExport = ({ exportFile: _f, exportSha256: _h, exportSheet: _s, exportRow: _r, ...grade }: Grade) => grade;

/** A grade as the service answers it, a blank average as 0; one from the sheet alone gives itself away. */
const answered = ({ sheetOnly, averageGPA, ...grade }: ReturnType<typeof withoutExport>) => ({
  ...grade,
  averageGPA: averageGPA ?? 0,
  ...(sheetOnly ? { sheetOnly } : {}),
});

function describeOriginalSheets(folder: string, world: World): void {
  describe("the original sheets", () => {
    interface Expected {
      files: Record<string, { sheets: Record<string, { row: number; expect: object | null; why?: string }[]> }>;
    }
    const expected = JSON.parse(readFileSync(`${folder}/expected.json`, "utf8")) as Expected;
    const facts = factsOf(world);

    it.each(Object.keys(expected.files))("%s, row by row and field by field", async (name) => {
      const tally = createTally("grades");
      const rows = await parseGradeSheet(name, readFileSync(`${folder}/${name}`), tally);
      const seen = new Map<SheetRow, object>();
      for (const row of rows) {
        for (const grade of toGrades([{ name, sha256: "", rows: [row] }], facts, tally))
          seen.set(row, answered(withoutExport(grade)));
      }
      const dropped: string[] = [];
      for (const [sheet, lines] of Object.entries(expected.files[name]?.sheets ?? {})) {
        const place = sheet === "" ? name : `${name}, sheet ${sheet}`;
        for (const line of lines) {
          const row = rows.find((row) => row.sheet === sheet && row.row === line.row);
          expect(row ? (seen.get(row) ?? null) : null, `${place} row ${line.row}: ${line.why ?? ""}`).toEqual(
            line.expect,
          );
          if (line.why && !line.why.startsWith("empty row")) dropped.push(`${place} row ${line.row}: `);
        }
        expect(
          rows.filter((row) => row.sheet === sheet).every((row) => lines.some((line) => line.row === row.row)),
        ).toBe(true);
      }
      const report = tally.report("published", 0);
      const names = report.dropped.flatMap((drop) => drop.names);
      expect(names).toEqual(dropped.map((start) => expect.stringContaining(start)));
      expect(report.damaged).toEqual([]);
      expect(report.read).toBe(report.kept + dropped.length);
    });

    it("are all there", () => {
      expect(Object.keys(expected.files).length).toBeGreaterThanOrEqual(5);
    });
  });
}

// The sheets as they were sent are nobody's to hand on: fixtures of our own have the same oddities.
const [, visibleWorld] = testWorlds;
if (shared && visibleWorld) describeOriginalSheets(`${shared}/real/sheets`, visibleWorld.read());

type Keyed = { year: string; quarter: string; sectionCode: string };
const key = ({ year, quarter, sectionCode }: Keyed) => JSON.stringify([year, quarter, sectionCode]);
const byKey = (a: Keyed, b: Keyed) => (key(a) < key(b) ? -1 : 1);

describe.each(testWorlds)("the grades of $name come out, field by field", (testWorld) => {
  const world = testWorld.read();
  const facts = factsOf(world);
  const expected = world.grades.map((grade) => ({
    year: grade.year,
    quarter: grade.quarter,
    sectionCode: grade.sectionCode,
    department: grade.department,
    courseNumber: grade.courseNumber,
    courseNumeric: Number(grade.courseNumber.replace(/\D/g, "")),
    geCategories: grade.geCategories,
    gradeACount: grade.gradeACount,
    gradeBCount: grade.gradeBCount,
    gradeCCount: grade.gradeCCount,
    gradeDCount: grade.gradeDCount,
    gradeFCount: grade.gradeFCount,
    gradePCount: grade.gradePCount,
    gradeNPCount: grade.gradeNPCount,
    gradeWCount: grade.gradeWCount,
    averageGPA: grade.averageGPA,
    instructors: grade.instructors.filter((name) => name !== "STAFF"),
    sheetOnly: false,
  }));
  expected.sort(byKey);

  const manners = { concurrency: 4, pauseMs: 0, timeoutMs: 10_000, retries: 1, backoffMs: 1, backoffCapMs: 1 };
  // Every form with every layout, and each of both with every way to split.
  const [forms, splits] = [
    ["csv", "xlsx", "both", "each"],
    ["year", "term", "mixed"],
  ] as const;
  const cases = forms.flatMap((records, i) =>
    ["academic", "academicWithLevel", "calendar", undefined].map((layout, j) => ({
      ...{ records, recordsSplit: splits[(i + j) % splits.length], layout },
    })),
  );

  async function readAll(upstream: Upstream) {
    const client = createClient("records", manners);
    const tally = createTally("grades");
    const exports: SheetExport[] = [];
    for (const link of await readRecordsIndex(client, new URL(upstream.urls.RECORDS_URL), tally)) {
      const got = await fetchExport(client, link);
      if (got === "unchanged") throw new Error("nothing was known");
      exports.push({ ...got, rows: await parseGradeSheet(got.name, got.bytes, tally) });
      expect(await fetchExport(client, link, got)).toBe("unchanged");
    }
    const grades = toGrades(exports, facts, tally);
    // Each row names its origin.
    for (const { exportFile, exportSha256, exportSheet, exportRow, sectionCode } of grades) {
      const from = exports.find(({ name, sha256 }) => name === exportFile && sha256 === exportSha256);
      const row = from?.rows.find((row) => row.sheet === (exportSheet ?? "") && row.row === exportRow);
      expect(row?.sectionCode).toBe(sectionCode);
    }
    return { grades: grades.map(withoutExport).sort(byKey), report: tally.report("published", 0) };
  }

  it.each(someOf(cases, 4))("$records by $recordsSplit, layout $layout", async ({ records, recordsSplit, layout }) => {
    const upstream = await testWorld.start(world, { records, recordsSplit, ...(layout ? { layout } : {}) });
    try {
      const { grades, report } = await readAll(upstream);
      expect(grades).toEqual(expected);
      expect(report).toMatchObject({ kept: world.grades.length, dropped: [], damaged: [] });
      expect(report.noted.map(({ count }) => count)).toEqual(records === "each" ? [world.grades.length] : []);
    } finally {
      await upstream.close();
    }
  });

  it("though index and exports fail once each, in every way that can be seen from outside", async () => {
    const faults = [
      { match: { system: "records", nth: 1 }, status: 503 },
      { match: { system: "records", path: "/xlsx$/", nth: 1 }, truncate: 0.5 },
      { match: { system: "records", path: "/xlsx$/", nth: 4 }, htmlError: true },
      { match: { system: "records", path: "/csv$/", nth: 1 }, drop: 0.5 },
      { match: { system: "records", path: "/csv$/", nth: 4 }, truncate: 0.5 },
    ];
    const upstream = await testWorld.start(world, { records: "both", recordsSplit: "year", faults });
    try {
      expect((await readAll(upstream)).grades).toEqual(expected);
      expect(upstream.stats().faults.map(({ fired }) => fired)).toEqual([1, 1, 1, 1, 1]);
    } finally {
      await upstream.close();
    }
  });
});
