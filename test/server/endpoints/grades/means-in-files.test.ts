/**
 * Means over files and Parquet responses by plain SQL are those of the API to 1e-9, and no number with decimals is
 * anything but a DOUBLE.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { duckdbColumns } from "../../../../pipeline/contract/table.ts";
import { TABLES } from "../../../../pipeline/contract/tables.ts";
import { VIEWS } from "../../../../pipeline/contract/views.ts";
import { runSql } from "../../../support/run-sql.ts";
import { draws } from "../../../support/extent.ts";
import { openApp } from "../../../support/published/opened-app.ts";
import { publishRows } from "../../../support/published/published.ts";
import { NO_GRADES } from "../../../support/worlds/grade-rows.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../../../pipeline/publish/scratch.ts";

const { connection } = await scratchDatabase();
const scratch = scratchFolder();
let places = 0;
const SAME = 1e-9;

const count = fc.nat({ max: 60 });
const row = fc
  .record({
    department: fc.constantFrom("MATH", "I&C SCI", "DANCE"),
    gradeACount: count,
    gradeBCount: count,
    gradePCount: count,
    hundredths: fc.nat({ max: 400 }),
    isBlank: fc.boolean(),
  })
  .map(({ hundredths, isBlank, ...counts }) => ({
    ...counts,
    averageGPA: isBlank || counts.gradeACount + counts.gradeBCount === 0 ? null : hundredths / 100,
  }));

interface OfView {
  readonly department: string;
  readonly mean: number | null;
  readonly averages: readonly (string | null)[] | null;
  readonly points: readonly (string | null)[] | null;
}
async function inShell(artifacts: string, statement: string): Promise<OfView[]> {
  let text = "";
  const options = { tempFolder: join(scratch, "spill") };
  for await (const piece of runSql(artifacts, statement, "json", options)) text += piece;
  return JSON.parse(text) as OfView[];
}

test("drawn grades: means by department over the table, the view and a response agree with the API", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), async (drawn) => {
      const artifacts = join(scratch, `means-${places++}`);
      const grades = drawn.map((change, index) =>
        gradeRow({ ...NO_GRADES, sectionCode: String(10_000 + index), ...change }),
      );
      await publishRows(artifacts, { grades });
      const app = await openApp(artifacts);
      try {
        const read = async (from: string, mean: string): Promise<Map<string, number | null>> => {
          const rows = await connection.runAndReadAll(
            `SELECT department, ${mean} FROM read_parquet('${from}') GROUP BY ALL`,
          );
          return new Map(rows.getRowsJS().map(([name, value]) => [String(name), value as number | null]));
        };
        const current = join(artifacts, "current");
        const response = join(artifacts, "raw.parquet");
        const body = await (await app.get("/grades/raw?format=parquet")).arrayBuffer();
        writeFileSync(response, Buffer.from(body));
        const files = await read(`${current}/grades/*.parquet`, "avg(averageGPA)");
        const answers = await read(response, "avg(averageGPA)");
        const view = await inShell(
          artifacts,
          `SELECT department, sum(gpaPoints) / sum(gpaStudents) AS mean, list(DISTINCT averageGPA::VARCHAR) AS averages,
           list(DISTINCT gpaPoints::VARCHAR) AS points FROM grade_students GROUP BY ALL`,
        );
        const ofStudents = new Map(view.map(({ department, mean }) => [department, mean]));
        for (const department of new Set(drawn.map((one) => one.department))) {
          const path = `/grades/aggregate?department=${encodeURIComponent(department)}`;
          const { gradeDistribution } = (await (await app.get(path)).json()) as {
            gradeDistribution: { averageGPA: number };
          };
          for (const means of [files, answers])
            expect(Math.abs((means.get(department) ?? 0) - gradeDistribution.averageGPA)).toBeLessThan(SAME);
          // In hundredths, whose sums are exact.
          const rated = drawn.filter((one) => one.department === department && one.averageGPA !== null);
          const students = ({ gradeACount, gradeBCount }: (typeof drawn)[number]) => gradeACount + gradeBCount;
          const points = rated.reduce((sum, one) => sum + Math.round((one.averageGPA ?? 0) * 100) * students(one), 0);
          const all = rated.reduce((sum, one) => sum + students(one), 0);
          expect(Math.abs((ofStudents.get(department) ?? 0) - (all === 0 ? 0 : points / 100 / all))).toBeLessThan(SAME);
        }
        // As printed: no binary noise behind the two decimals that were written.
        for (const number of view.flatMap(({ averages, points }) => [...(averages ?? []), ...(points ?? [])]))
          if (number !== null) expect(number).toMatch(/^\d+\.\d{1,2}$/);
        for (const from of [`${current}/**/*.parquet`, response]) {
          const types = await connection.runAndReadAll(
            `SELECT DISTINCT coalesce(logical_type, converted_type, type) FROM parquet_schema('${from}') WHERE name IN ('averageGPA', 'gpaPoints', 'minUnits', 'maxUnits')`,
          );
          expect(types.getRowsJson().flat()).toEqual(["DOUBLE"]);
        }
      } finally {
        await app.close();
      }
    }),
    { numRuns: draws(25, 3) },
  );
});

test("no column of a table or view is a decimal", () => {
  for (const { name, row } of [...Object.values(TABLES), ...VIEWS])
    for (const column of duckdbColumns(row.shape))
      expect([name, column.name, /DECIMAL|FLOAT|REAL/.test(column.type)]).toEqual([name, column.name, false]);
});
