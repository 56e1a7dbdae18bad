/** Blank averages (server/RULES.md, Grades): 0 in JSON, nothing in tables and published files, so that everything agrees on the mean. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSql } from "../../../support/run-sql.ts";
import { gradeRow, scratchDatabase } from "../../../pipeline/publish/scratch.ts";
import { openFolder } from "../../../support/whole-run.ts";
import { NO_GRADES } from "../../../support/worlds/grade-rows.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { publishRows } from "../../../support/published/published.ts";

const ROWS = [
  gradeRow({ ...NO_GRADES, sectionCode: "01001", gradeACount: 9, averageGPA: 3.25 }),
  gradeRow({ ...NO_GRADES, sectionCode: "01002", gradePCount: 9, averageGPA: null }),
  gradeRow({ ...NO_GRADES, sectionCode: "01003", gradeBCount: 9, averageGPA: null }),
  gradeRow({ ...NO_GRADES, sectionCode: "01004", gradeFCount: 9, averageGPA: 0 }),
  gradeRow({ ...NO_GRADES, sectionCode: "01005", gradeACount: 1, gradeCCount: 1, averageGPA: 2.5 }),
  // Some exports have a zero where there is nothing to average.
  gradeRow({ ...NO_GRADES, sectionCode: "01006", gradeNPCount: 4, averageGPA: 0 }),
];
const SERVED = [3.25, 0, 0, 0, 2.5, 0];
const BLANK = [3.25, null, null, 0, 2.5, null];
const MEAN = (3.25 + 0 + 2.5) / 3;

describe("a blank average", () => {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let app: OpenedApp;
  const database = scratchDatabase();
  beforeAll(async () => {
    folder = await openFolder();
    await publishRows(folder.artifacts, { grades: ROWS });
    app = await openApp(folder.artifacts);
  });
  afterAll(async () => {
    await app?.close();
    await folder?.remove();
  });

  async function sql(statement: string): Promise<string[]> {
    let text = "";
    const options = { tempFolder: join(tmpdir(), `blank-averages-${process.pid}`) };
    for await (const piece of runSql(folder.artifacts, statement, "csv", options)) text += piece;
    return text.trim().split(/\r?\n/).slice(1);
  }

  const averages = (rows: unknown) => (rows as { averageGPA: number | null }[]).map(({ averageGPA }) => averageGPA);

  /** The averages of a response as JSON, CSV, NDJSON and Parquet. */
  async function inFormats(path: string): Promise<(number | null)[][]> {
    const get = (format: string) => app.get(`${path}${path.includes("?") ? "&" : "?"}format=${format}`);
    const body = (await (await get("json")).json()) as object;
    const rows = "gradeDistribution" in body ? [body.gradeDistribution] : body;
    const csv = parse<{ averageGPA: string }>(await (await get("csv")).text(), { columns: true });
    const lines = (await (await get("ndjson")).text()).trim().split("\n");
    const file = join(folder.artifacts, "answer.parquet");
    await writeFile(file, Buffer.from(await (await get("parquet")).arrayBuffer()));
    const { connection } = await database;
    const read = await connection.runAndReadAll("SELECT averageGPA::DOUBLE AS averageGPA FROM read_parquet($1)", [
      file,
    ]);
    return [
      averages(rows),
      csv.map(({ averageGPA }) => (averageGPA === "" ? null : Number(averageGPA))),
      averages(lines.map((line) => JSON.parse(line) as unknown)),
      averages(read.getRowObjects()),
    ];
  }

  it("is 0 in JSON, and nothing in CSV, NDJSON and Parquet", async () => {
    expect(await inFormats("/grades/raw")).toEqual([SERVED, BLANK, BLANK, BLANK]);
    for (const path of ["aggregate", "aggregateByCourse", "aggregateByOffering"])
      expect(await inFormats(`/grades/${path}?sectionCode=01002`)).toEqual([[0], [null], [null], [null]]);
    expect(await inFormats("/grades/aggregate?year=1999")).toEqual([[0], [null], [null], [null]]);
  });

  it("leaves the mean of each table that of the API", async () => {
    const mean = (all: (number | null)[]) => {
      const some = all.filter((one) => one !== null);
      return some.reduce((sum, one) => sum + one, 0) / some.length;
    };
    const [, ...tables] = await inFormats("/grades/raw");
    for (const table of tables) expect(mean(table)).toBeCloseTo(MEAN, 12);
  });

  it("is NULL in SQL", async () => {
    expect(await sql("SELECT averageGPA FROM grades ORDER BY sectionCode")).toEqual([
      "3.25",
      "",
      "",
      "0.0",
      "2.5",
      "0.0",
    ]);
  });

  it("counts neither in SQL nor in the API", async () => {
    const { gradeDistribution } = (await (await app.get("/grades/aggregate")).json()) as {
      gradeDistribution: { averageGPA: number };
    };
    expect(gradeDistribution.averageGPA).toBe(MEAN);
    // A run publishes a zero of no letter grades as NULL.
    const [average] = await sql("SELECT avg(averageGPA) FROM grades WHERE sectionCode <> '01006'");
    expect(Number(average)).toBeCloseTo(MEAN, 12);
    for (const path of ["aggregateByCourse", "aggregateByOffering"]) {
      const rows = (await (await app.get(`/grades/${path}`)).json()) as { averageGPA: number }[];
      expect(rows.map(({ averageGPA }) => averageGPA)).toContain(MEAN);
    }
  });
});
