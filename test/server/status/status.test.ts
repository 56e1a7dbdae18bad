/** The build report for programs: what the run wrote, in words without places. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { writeRunReport } from "../../../pipeline/run/run-report.ts";
import { redact, type Status } from "../../../server/status/status-report.ts";
import { openFolder, serve } from "../../support/whole-run.ts";
import { openSurface } from "../http/surface-server.ts";
import { ask } from "../http/wire.ts";
import { runOf } from "./run-of.ts";

let surface: Awaited<ReturnType<typeof openSurface>>;
beforeAll(async () => {
  surface = await openSurface();
  const { artifacts } = surface;
  const report = runOf(
    [
      { product: "schedule", status: "failed", error: "the disk is full: /srv/academic/data/landing/a b/x.parquet" },
      {
        product: "grades",
        read: 59_914,
        kept: 59_902,
        dropped: [{ reason: "<script>alert(1)</script>", count: 12, names: ["A&B.csv row 7: 2016 Winter 01011"] }],
        damaged: ["file:///srv/exports/UG_Grades.xlsx is no workbook"],
      },
      { product: "larc", noted: [{ reason: "a term without tutorials", count: 1, names: ["2024 Summer1"] }] },
    ],
    {
      disk: { generations: 1, keptBytes: 1, freedBytes: 0, problems: [], retain: "48h,60d,24m" },
      source: { records: "/srv/exports/index.html", schedule: "https://someone:secret@schedule.example/search/form" },
      store: { name: "/srv/lake", snapshot: null, problems: ["cannot write /srv/lake/grades/x.parquet"] },
    },
  );
  await writeRunReport(artifacts, report, silentLog);
  // A second snapshot, and an object that only it has.
  await writeFile(join(artifacts, "snapshots", "2-00000000000000aa.json"), "{}");
  await writeFile(join(artifacts, "grades", `${"a".repeat(32)}.parquet`), "x".repeat(1000));
});
afterAll(() => surface?.close());

const INSIDE = /\/srv|\/tmp|file:|secret|node_modules|\n {4}at /;

describe("for programs", () => {
  it("is the run's report, the snapshot's rows and terms, and the disk", async () => {
    const answer = await ask(`${surface.url}/status`);
    expect([answer.status, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
      200,
      "application/json; charset=utf-8",
      "no-store",
    ]);
    expect(answer.text).not.toMatch(INSIDE);
    const { snapshot, lastRun, disk, looked, retained } = answer.json<Status>();
    expect(snapshot).toMatchObject({ id: surface.id, generation: 1, stale: false });
    const tables = Object.fromEntries((snapshot?.tables ?? []).map((table) => [table.table, table]));
    expect(tables["grades"]).toMatchObject({ rows: 8000 });
    expect(tables["sections"]?.parts).toEqual([{ name: "2024 Fall", rows: 40 }]);
    expect(lastRun?.failed).toBe(true);
    expect(lastRun?.source).toEqual({ records: "index.html", schedule: "https://schedule.example/search/form" });
    expect(lastRun?.store?.problems).toEqual(["cannot write x.parquet"]);
    expect(lastRun?.products).toMatchObject([
      { product: "schedule", status: "failed", error: "the disk is full: x.parquet" },
      { product: "grades", read: 59_914, kept: 59_902, damaged: ["UG_Grades.xlsx is no workbook"] },
      { product: "larc", noted: [{ count: 1, names: ["2024 Summer1"] }] },
    ]);
    expect(Object.keys(looked)).toContain("schedule");
    expect(retained).toEqual({ snapshots: 1, oldest: snapshot?.createdAt, retain: "48h,60d,24m" });
    expect(disk.generations).toBe(2);
    const { files = [] } = (await readCurrent(surface.artifacts))?.manifest ?? {};
    // An object of several snapshots counts once, and its hard link in the checkout does not count.
    expect(disk.bytes).toBe(files.reduce((sum, { bytes }) => sum + bytes, 0) + 1000);
  });
});

it("without data and without a report it says so", async () => {
  const folder = await openFolder();
  const server = await serve(folder.env);
  const status = (await ask(`${server.url}/status`)).json<Status>();
  expect(status).toMatchObject({ snapshot: null, lastRun: null, disk: { generations: 0, bytes: 0 } });
  await server.close();
  await folder.remove();
});

it.each([
  ["ENOENT: no such file, open '/srv/a/b.json'", "ENOENT: no such file, open 'b.json'"],
  ["https://schedule.example/search/form answered 500", "https://schedule.example/search/form answered 500"],
  ["file:///home/someone/a.csv and /x/y/z", "a.csv and z"],
  ["C:\\data\\exports\\a.csv is damaged", "a.csv is damaged"],
  ["2024 Fall: 10/20 departments", "2024 Fall: 10/20 departments"],
  ["Error: x\n    at f (/srv/a.ts:1:2)", "Error: x"],
])("%s → %s", (text, plain) => {
  expect(redact(text)).toBe(plain);
});
