/**
 * A refresh derives nothing again whose inputs did not change, and publishes what a run that derives everything would
 * publish.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type PublishedSnapshot, readCurrent } from "../../pipeline/store/published.ts";
import { openFolder, run } from "../support/whole-run.ts";
import { OCTOBER, openSmallCampus } from "../support/upstream/small-campus.ts";

const HOUR_MS = 3_600_000;
let now = OCTOBER;
let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let folder: Awaited<ReturnType<typeof openFolder>>;

beforeAll(async () => {
  campus = await openSmallCampus(["2019 Winter", "2019 Fall"], () => now);
  folder = await openFolder();
  await runAt(0);
});
afterEach(() => void (now = OCTOBER));
afterAll(async () => {
  await campus.close();
  await folder.remove();
});

const runAt = (hours: number, mode: "refresh" | "build" = "refresh") => {
  now = new Date(OCTOBER.getTime() + hours * HOUR_MS);
  return run({ ...folder.env, ...campus.urls() }, mode, () => now);
};
type Report = Awaited<ReturnType<typeof runAt>>;

const part = ({ products }: Report, name: string) => products.find(({ product }) => product === name);
const isHistoryKept = (report: Report) =>
  part(report, "history")?.noted.some(({ reason }) => reason.endsWith("the history stays as it is"));

it("unchanged pages: the snapshot stays, and so does the landing of terms that go on; changed ones are published", async () => {
  const first = await runAt(1);
  // Within the same hour on campus.
  const second = await runAt(1.5);
  expect(second).toMatchObject({ failed: false, changed: false, snapshot: first.snapshot });
  expect(part(second, "schedule")).toMatchObject({ status: "published", kept: part(first, "schedule")?.kept });
  expect(isHistoryKept(second)).toBe(true);
  expect(await readdir(join(folder.data, "landing/schedule"))).toEqual(["2019-Fall.published"]);
  // Another program may read the same pages in another way.
  const freshness = join(folder.artifacts, "freshness.json");
  const last = JSON.parse(await readFile(freshness, "utf8")) as object;
  await writeFile(freshness, JSON.stringify({ ...last, program: "another one" }));
  expect(isHistoryKept(await runAt(1.6))).toBe(false);
  expect(await runAt(24 * 7)).toMatchObject({ failed: false, changed: true });
});

it("other seats leave the history as it is, other instructors do not; a build finds the same", async () => {
  const start = 24 * 8;
  expect(isHistoryKept(await runAt(start))).toBe(false);
  const later: Report[] = [];
  for (const hour of [1, 2, 3]) later.push(await runAt(start + hour));
  expect(later.some(({ changed }) => changed)).toBe(true);
  expect(later.map(isHistoryKept)).toEqual([true, true, true]);
  const files = await publishedFiles();
  expect(await runAt(start + 3, "build")).toMatchObject({ failed: false });
  expect(await publishedFiles()).toEqual(files);
  campus.teach((names) => [...names, "KALORMARA, Q."]);
  const taught = await runAt(start + 4);
  expect(taught).toMatchObject({ failed: false, changed: true });
  expect(isHistoryKept(taught)).toBe(false);
});

/** The files of each table that a refresh derives, by their content, without those of the term that only a build crawls. */
async function publishedFiles(): Promise<string[]> {
  const { manifest } = (await readCurrent(folder.artifacts)) as PublishedSnapshot;
  return manifest.files.flatMap(({ path, table }) =>
    DERIVED.includes(table) && !path.includes("2019-Winter") ? path : [],
  );
}

const DERIVED = [
  ...["sections", "headings", "enrollment_history", "enrollment_periods"],
  ...["courses", "instructors", "section_instructors"],
];
