/** The sums of sections that are added up from loaded numbers are those of the statement that explanations show. */
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GRADE_COUNTS, grades } from "../../../../pipeline/contract/rows/grade.ts";
import { createPool, type Pool } from "../../../../server/duckdb/pool.ts";
import { sql } from "../../../../server/duckdb/sql.ts";
import { distributionOf, gradeOrigin } from "../../../../server/endpoints/grades.ts";
import type { EndpointContext } from "../../../../server/response/endpoint.ts";
import { readTexts } from "../../../../server/response/representations/json.ts";
import { givenRows, load } from "../../../../server/snapshot/loading/loading.ts";
import { gradesTable, readNumbers } from "../../../../server/snapshot/tables/grades.ts";
import { gradeRow } from "../../../support/grade-row.ts";

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ artifactsDir: "/nowhere" });
});
afterAll(() => pool.close());

const count = fc.oneof(fc.constant(0), fc.nat(500), fc.nat(200_000_000));
const section = fc.record({
  ...Object.fromEntries(GRADE_COUNTS.map((name) => [name, count])),
  averageGPA: fc.oneof(
    fc.constant(null),
    fc.constant(0),
    fc.nat(400).map((hundredths) => hundredths / 100),
  ),
  courseNumber: fc.constantFrom("46", "H46", "161"),
});

it("whatever the counts and averages, for some sections and for all", async () => {
  const property = fc.asyncProperty(
    fc.array(section, { maxLength: 20 }),
    fc.constantFrom(undefined, "46", "none"),
    async (sections, courseNumber) => {
      const rows = sections.map((values, i) => gradeRow({ ...(values as object), sectionCode: String(10_000 + i) }));
      const published = givenRows(grades.row.shape, rows);
      const table = await load(pool, gradesTable, published, readNumbers);
      const values = courseNumber === undefined ? {} : { courseNumber: [courseNumber] };
      const { statement } = gradeOrigin("aggregate", values, {} as EndpointContext, undefined);
      const [expected] = await readTexts(pool, sql`WITH grades AS (FROM ${published}) FROM (${statement})`);
      const matching = courseNumber === undefined ? sql`` : sql`WHERE courseNumber = ${courseNumber}`;
      const [rowIds] = await pool.integers(sql`SELECT row_id FROM ${table.from} ${matching}`);
      expect(distributionOf(table, courseNumber === undefined ? undefined : rowIds)).toBe(expected);
      await table.drop();
    },
  );
  await fc.assert(property, { numRuns: 40 });
});
