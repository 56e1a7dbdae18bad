/**
 * The whole sample campus, built as of a moment: enrollment from day to day, and the effects that
 * pipeline/campus/README.md names.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { readCurrent } from "../../pipeline/store/published.ts";
import { isWhole } from "../support/extent.ts";
import { buildSample, openSample, rowsOf } from "../support/sample-build.ts";
import { openFolder } from "../support/whole-run.ts";

let folder: Awaited<ReturnType<typeof openSample>>;
beforeAll(async () => {
  folder = await openSample();
}, 600_000);

/** The only row. */
const ask = async <Row>(sql: string): Promise<Row> => (await rowsOf<Row>(folder, sql))[0] as Row;

// For the campus's pages at a moment, see test/pipeline/campus/determinism.test.ts; for runs over the same pages,
// same-inputs.test.ts.
it.runIf(isWhole)("two builds of the same moment have the same content", async () => {
  const folders = await Promise.all([openFolder(), openFolder()]);
  try {
    for (const folder of folders) await buildSample(folder, "2027 Winter", ["schedule", "calendar"]);
    const ids = await Promise.all(
      folders.map(async ({ artifacts }) => (await readCurrent(artifacts))?.manifest.contentId),
    );
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]+$/), ids[0]]);
  } finally {
    await Promise.all(folders.map((folder) => folder.remove()));
  }
});

describe("the curve of a term that is over", () => {
  const curve = (quarter: string, year: string) =>
    rowsOf<{ date: string; enrolled: number; waiting: number }>(
      folder,
      `SELECT date, sum(totalEnrolled::INTEGER)::INTEGER AS enrolled, coalesce(sum(try_cast(waitlist AS INTEGER)), 0)::INTEGER AS waiting
       FROM enrollment_days WHERE year = '${year}' AND quarter = '${quarter}' AND imported GROUP BY date ORDER BY date`,
    );

  it("has every day from the opening of enrolment to the last final", async () => {
    const days = (await curve("Spring", "2026")).map(({ date }) => date);
    expect([days[0], days.at(-1), days.length]).toEqual(["2026-02-09", "2026-06-11", 123]);
  });

  it("rises, slower at weekends; when instruction begins it dips, and waitlists are dropped", async () => {
    const days = new Map((await curve("Spring", "2026")).map((row) => [row.date, row]));
    const at = (date: string) => days.get(date) ?? { enrolled: 0, waiting: 0 };
    const last = at("2026-06-11").enrolled;
    expect(at("2026-02-09").enrolled).toBeLessThan(last / 4);
    const quarterOf = ["2026-02-09", "2026-02-16", "2026-02-23", "2026-03-09", "2026-03-29"].map((d) => at(d).enrolled);
    expect(quarterOf).toEqual(quarterOf.toSorted((a, b) => a - b));
    // Friday, Sunday, Tuesday.
    const weekend = at("2026-02-22").enrolled - at("2026-02-20").enrolled;
    expect(weekend).toBeLessThan(at("2026-02-24").enrolled - at("2026-02-22").enrolled);
    expect(at("2026-03-31").enrolled).toBeLessThan(at("2026-03-29").enrolled * 0.985);
    expect(at("2026-04-08").enrolled).toBeGreaterThan(at("2026-03-31").enrolled);
    expect(at("2026-03-31").waiting).toBeLessThan(at("2026-03-29").waiting * 0.7);
    expect(at("2026-04-20").waiting).toBe(0);
  });

  it("ends at the numbers that the schedule has", async () => {
    const counts = await ask<{ sections: number; differing: number }>(
      `SELECT count(*)::INTEGER AS sections, (count(*) FILTER (totalEnrolled <> numCurrentlyEnrolled.totalEnrolled))::INTEGER AS differing
       FROM enrollment_days JOIN sections USING (year, quarter, sectionCode)
       WHERE year = '2026' AND quarter = 'Spring' AND date = DATE '2026-06-11'`,
    );
    expect(counts.sections).toBeGreaterThan(300);
    expect(counts.differing).toBe(0);
  });

  it("says what the numbers say", async () => {
    const counts = await ask<Record<string, number>>(
      `SELECT count(*)::INTEGER AS days,
         (count(*) FILTER (e > c))::INTEGER AS over,
         (count(*) FILTER (w > 0 AND e < c))::INTEGER AS waiting,
         (count(*) FILTER (status IN ('FULL', 'Waitl') AND e < c OR status IN ('OPEN', 'NewOnly') AND e >= c))::INTEGER AS wrong
       FROM (SELECT status, totalEnrolled::INTEGER AS e, maxCapacity::INTEGER AS c, try_cast(waitlist AS INTEGER) AS w FROM enrollment_days)`,
    );
    expect(counts).toMatchObject({ waiting: 0, wrong: 0 });
    expect(counts["over"]).toBeLessThan((counts["days"] ?? 0) / 50);
    const kinds = await rowsOf<{ status: string }>(
      folder,
      "SELECT DISTINCT status FROM enrollment_days ORDER BY status",
    );
    expect(kinds.map(({ status }) => status)).toEqual(["FULL", "NewOnly", "OPEN", "Waitl"]);
  });
});

describe("what there is to find", () => {
  it("departments differ", async () => {
    const averages = await ask<{ spread: number }>(
      `SELECT max(gpa) - min(gpa) AS spread
       FROM (SELECT avg(averageGPA) AS gpa FROM grades GROUP BY department HAVING count(averageGPA) >= 50)`,
    );
    expect(averages.spread).toBeGreaterThan(0.5);
  });

  it("instructors of a department differ, and it stays so", async () => {
    const habits = await ask<{ people: number; same: number; spread: number }>(
      `SELECT count(*)::INTEGER AS people, corr(even, odd) AS same, stddev(even) AS spread FROM (
         SELECT avg(above) FILTER (year::INTEGER % 2 = 0) AS even, avg(above) FILTER (year::INTEGER % 2 = 1) AS odd
         FROM (SELECT *, averageGPA - avg(averageGPA) OVER (PARTITION BY department) AS above FROM grades)
         WHERE len(instructors) > 0 GROUP BY department, instructors[1] HAVING count(above) >= 12)`,
    );
    expect(habits.people).toBeGreaterThan(80);
    expect(habits.same).toBeGreaterThan(0.4);
    expect(habits.spread).toBeGreaterThan(0.05);
  });

  it("averages rise slowly, and large classes grade lower", async () => {
    const trend = await ask<{ rise: number; loss: number }>(
      `SELECT regr_slope(above, year::INTEGER) AS rise, regr_slope(above, log2(students)) AS loss FROM (
         SELECT year, averageGPA - avg(averageGPA) OVER (PARTITION BY department) AS above,
           gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount + gradePCount + gradeNPCount AS students
         FROM grades)`,
    );
    expect(trend.rise).toBeGreaterThan(0.004);
    expect(trend.rise).toBeLessThan(0.03);
    expect(trend.loss).toBeLessThan(-0.015);
    expect(trend.loss).toBeGreaterThan(-0.1);
  });

  it("some courses are full on the day on which enrolment opens, in every term", async () => {
    const courses = await rowsOf<{ terms: number; quick: number }>(
      folder,
      `WITH opened AS (SELECT year, quarter, min(date) AS day FROM enrollment_days WHERE totalEnrolled <> '0' GROUP BY ALL),
       filled AS (
         SELECT department, courseNumber, year, quarter, min(date) FILTER (status IN ('FULL', 'Waitl')) AS day
         FROM enrollment_days WHERE imported AND sectionType = 'Lec' AND maxCapacity::INTEGER BETWEEN 5 AND 899 GROUP BY ALL)
       SELECT count(*)::INTEGER AS terms, (count(*) FILTER (filled.day - opened.day <= 1))::INTEGER AS quick
       FROM filled JOIN opened USING (year, quarter) GROUP BY department, courseNumber HAVING count(*) >= 2`,
    );
    const quick = courses.filter(({ terms, quick: often }) => often === terms);
    expect(quick.length).toBeGreaterThan(1);
    expect(quick.length).toBeLessThan(courses.length / 5);
  });

  it("classes at six in the evening are wanted most", async () => {
    const hours = await rowsOf<{ hour: number; wanted: number; filled: number }>(
      folder,
      `SELECT meetings[1].startTime.hour AS hour, sum(numRequested::INTEGER) / sum(maxCapacity::INTEGER) AS wanted,
         avg(numCurrentlyEnrolled.totalEnrolled::INTEGER / maxCapacity::INTEGER) AS filled
       FROM sections WHERE NOT meetings[1].timeIsTBA AND maxCapacity::INTEGER BETWEEN 1 AND 899
       GROUP BY ALL HAVING count(*) >= 30`,
    );
    for (const by of ["wanted", "filled"] as const) {
      const [first, second] = hours.toSorted((a, b) => b[by] - a[by]);
      expect(first?.hour).toBe(18);
      expect(first?.[by]).toBeGreaterThan((second?.[by] ?? Infinity) * 1.05);
    }
  });
});
