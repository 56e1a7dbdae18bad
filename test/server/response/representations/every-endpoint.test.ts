/** Every endpoint in every format, over a term of the sample campus: each field is that of the JSON answer. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../../server/endpoints/all.ts";
import { scratchDatabase } from "../../../pipeline/publish/scratch.ts";
import { openFolder, run } from "../../../support/whole-run.ts";
import { openApp, type OpenedApp } from "../../../support/published/opened-app.ts";
import { changeRow } from "../../../support/published/published-changes.ts";
import { publishRows } from "../../../support/published/published.ts";
import { historyRow, periodRows } from "./history-row.ts";
import { asCsv, type PlainRow, plainRows } from "./plain-rows.ts";

const TERM = "year=2026&quarter=Spring";
/** What is asked of each; several questions where one does not show everything. */
const QUESTIONS: Record<string, readonly string[]> = {
  "/schedule": [`?${TERM}&cacheOnly=true&cancelledCourses=Include`, `?${TERM}&department=NOBODY`, `?${TERM}&ge=GE-2`],
  "/schedule/depts": [""],
  "/schedule/terms": [""],
  "/grades/raw": ["", "?department=COMPSCI", "?year=1999"],
  "/grades/aggregate": ["", "?department=COMPSCI", "?year=1999"],
  "/grades/options": ["", "?department=COMPSCI", "?year=1999"],
  "/grades/aggregateByCourse": [""],
  "/grades/aggregateByOffering": ["?department=COMPSCI", "?year=1999"],
  "/instructors": ["", "?nameContains=zzzz"],
  "/instructors/all": [""],
  "/instructors/:id": ["of the list"],
  "/courses": ["", "?department=COMPSCI"],
  "/courses/all": [""],
  "/courses/:id": ["of the list"],
  "/week": ["?year=2026&month=4&day=14", "?year=2026&month=1&day=1"],
  "/calendar": ["", "?year=1999"],
  "/larc": [`?${TERM}`, "?year=2026&quarter=Summer10wk"],
  "/search": ["?q=comp", "?q=zzzzzzzz"],
  "/changes": ["", "?department=DANCE", "?year=1999"],
  "/enrollmentHistory": ["", `?${TERM}&department=COMPSCI`, "?year=2019"],
};
/** Columns that hold an object of other keys from row to row. */
const MAPS = ["prerequisiteTree", "courseHistory", "links"];

let folder: Awaited<ReturnType<typeof openFolder>>;
let app: OpenedApp;
beforeAll(async () => {
  folder = await openFolder();
  await run({ ...folder.env, TERMS: "2026 Spring" });
  await publishRows(folder.artifacts, {
    changes: ["10000", "10001"].map((sectionCode) => ({
      ...changeRow({ sectionCode, before: null, after: '{"a": "b, c"}' }),
      month: "2024-11",
      snapshot: "0".repeat(16),
    })),
    enrollment_history: ["10000", "10001", "10002"].map(historyRow),
    enrollment_periods: [
      ...periodRows("10000", [
        ["2019-10-01", "2019-10-04", "12"],
        ["2019-10-06", "2019-10-06", "n/a"],
      ]),
      ...periodRows("10002", [
        ["2019-09-30", "2019-09-30", 'a "b", c'],
        ["2019-10-01", "2019-10-01", 'a "b", c'],
      ]),
    ],
  });
  app = await openApp(folder.artifacts);
});
afterAll(async () => {
  await app?.close();
  await folder?.remove();
});
const database = await scratchDatabase();

async function idIn(path: string): Promise<string> {
  const [first] = (await (await app.get(path.replace("/:id", "/all"))).json()) as PlainRow[];
  return path.replace(":id", encodeURIComponent(String(first?.["id"] ?? first?.["netid"])));
}

async function pathsOf(path: string): Promise<string[]> {
  const questions = QUESTIONS[path];
  if (!questions) throw new Error(`say what to ask of ${path}`);
  return path.includes(":id") ? [await idIn(path)] : questions.map((query) => `${path}${query}`);
}

const inFormat = (path: string, format: string) => app.get(`${path}${path.includes("?") ? "&" : "?"}format=${format}`);

/** A whole number of a column of fractions may be written `4.0`. */
const toNumberText = (field: string): string => field.replace(/^(\d+)\.0$/, "$1");
const mapFields = (row: Record<string, string>, change: (field: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, field]) => [name, change(field)]));

async function readParquet(bytes: ArrayBuffer): Promise<PlainRow[]> {
  const file = join(folder.artifacts, "answer.parquet");
  await writeFile(file, Buffer.from(bytes));
  const read = await database.connection.runAndReadAll("SELECT to_json(t)::VARCHAR FROM read_parquet($1) t", [file]);
  return read.getRowsJS().map(([json]) => JSON.parse(json as string) as PlainRow);
}

describe.each(endpoints.map(({ path }) => path))("%s", (path) => {
  it("NDJSON, CSV and Parquet hold the rows of the JSON answer, field by field", async () => {
    let most = 0;
    for (const asked of await pathsOf(path)) {
      const expected = plainRows(path, await (await app.get(asked)).json(), asked);
      most = Math.max(most, expected.length);

      const ndjson = await inFormat(asked, "ndjson");
      expect([asked, ndjson.status, ndjson.headers.get("content-type")]).toEqual([
        asked,
        200,
        "application/x-ndjson; charset=utf-8",
      ]);
      const lines = (await ndjson.text()).split("\n");
      expect(lines.pop()).toBe("");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(expected);

      const csv = await inFormat(asked, "csv");
      expect([asked, csv.status, csv.headers.get("content-type")]).toEqual([
        asked,
        200,
        "text/csv; charset=utf-8; header=present",
      ]);
      const text = await csv.text();
      expect(text.endsWith("\r\n")).toBe(true);
      const [names = [], ...records] = parse(text, { record_delimiter: "\r\n" }) as string[][];
      expect(new Set(names).size).toBe(names.length);
      const fields = records.map((record) =>
        Object.fromEntries(record.map((field, i) => [names[i], toNumberText(field)])),
      );
      // A part of an object that is null altogether is an empty field.
      const nothing = Object.fromEntries(names.filter((name) => name.includes(".")).map((name) => [name, ""]));
      const wanted = expected.map((row) => ({ ...nothing, ...mapFields(asCsv(row, MAPS), toNumberText) }));
      for (const row of wanted)
        for (const name of Object.keys(row)) if (!names.includes(name)) expect(row[name]).toBe("");
      expect(fields).toEqual(
        wanted.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))),
      );

      const parquet = await inFormat(asked, "parquet");
      expect([asked, parquet.status, parquet.headers.get("content-type")]).toEqual([
        asked,
        200,
        "application/vnd.apache.parquet",
      ]);
      const rows = await readParquet(await parquet.arrayBuffer());
      expect(
        rows.map((row) =>
          "prerequisiteTree" in row
            ? { ...row, prerequisiteTree: JSON.parse(row["prerequisiteTree"] as string) as unknown }
            : row,
        ),
      ).toEqual(expected);
    }
    expect(most).toBeGreaterThan(0);
  });
});

describe("the types of Parquet columns", () => {
  const typesOf = async (path: string) => {
    const file = join(folder.artifacts, "typed.parquet");
    await writeFile(file, Buffer.from(await (await inFormat(path, "parquet")).arrayBuffer()));
    const read = await database.connection.runAndReadAll("DESCRIBE SELECT * FROM read_parquet($1)", [file]);
    return Object.fromEntries(read.getRowsJS().map(([name, type]) => [name, type]));
  };

  it("are the contract's: whole numbers, lists, structs, days; averages are doubles", async () => {
    expect(await typesOf("/grades/raw?year=2024")).toMatchObject({
      courseNumeric: "INTEGER",
      gradeACount: "INTEGER",
      averageGPA: "DOUBLE",
      instructors: "VARCHAR[]",
    });
    expect(await typesOf(`/enrollmentHistory?${TERM}`)).toMatchObject({ date: "DATE", sectionCode: "INTEGER" });
    const schedule = await typesOf(`/schedule?${TERM}&ge=GE-2`);
    expect(Object.entries(schedule).slice(0, 2)).toEqual([
      ["year", "VARCHAR"],
      ["quarter", "VARCHAR"],
    ]);
    expect(schedule["meetings"]).toMatch(/^STRUCT\(.*bldg VARCHAR\[\].*\)\[\]$/);
    expect(schedule["finalExam"]).toMatch(/"month" INTEGER/);
    // An answer without rows has them too.
    expect(await typesOf("/grades/raw?year=1999")).toEqual(await typesOf("/grades/raw?year=2024"));
  });
});
