/** Blank averages (server/RULES.md, Grades): 0 in every format of an answer, NULL in the published files, so that SQL and the API agree on the mean. */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSql } from "../../../../pipeline/publish/sql/sql-shell.ts";
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
];
const SERVED = [3.25, 0, 0, 0, 2.5];
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

  it("is 0 in JSON, CSV, NDJSON and Parquet", async () => {
    const averages = (rows: unknown) => (rows as { averageGPA: number }[]).map(({ averageGPA }) => averageGPA);
    expect(averages(await (await app.get("/grades/raw")).json())).toEqual(SERVED);
    const lines = (await (await app.get("/grades/raw?format=ndjson")).text()).trim().split("\n");
    expect(averages(lines.map((line) => JSON.parse(line) as unknown))).toEqual(SERVED);
    const [head = "", ...records] = (await (await app.get("/grades/raw?format=csv")).text()).trim().split("\r\n");
    const column = head.split(",").indexOf("averageGPA");
    const cells = records.map((record) => record.replace(/"[^"]*"/g, "").split(",")[column]);
    expect(cells.map(Number)).toEqual(SERVED);
    const file = join(folder.artifacts, "answer.parquet");
    await writeFile(file, Buffer.from(await (await app.get("/grades/raw?format=parquet")).arrayBuffer()));
    const { connection } = await database;
    const read = await connection.runAndReadAll("SELECT averageGPA::DOUBLE AS averageGPA FROM read_parquet($1)", [
      file,
    ]);
    expect(averages(read.getRowObjects())).toEqual(SERVED);
  });

  it("is NULL in SQL", async () => {
    expect(await sql("SELECT averageGPA FROM grades ORDER BY sectionCode")).toEqual(["3.25", "", "", "0.00", "2.50"]);
  });

  it("counts neither in SQL nor in the API", async () => {
    const { gradeDistribution } = (await (await app.get("/grades/aggregate")).json()) as {
      gradeDistribution: { averageGPA: number };
    };
    expect(gradeDistribution.averageGPA).toBe(MEAN);
    const [average] = await sql("SELECT avg(averageGPA) FROM grades");
    expect(Number(average)).toBeCloseTo(MEAN, 12);
    for (const path of ["aggregateByCourse", "aggregateByOffering"]) {
      const rows = (await (await app.get(`/grades/${path}`)).json()) as { averageGPA: number }[];
      expect(rows.map(({ averageGPA }) => averageGPA)).toContain(MEAN);
    }
  });
});
