/** "artifacts/ is gone … but data/backup/ has day lists": a run begins with the newest sound history, and reports it. By real runs. */
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BackupList } from "../../pipeline/contract/documents/backup.ts";
import type { Database } from "../../pipeline/publish/database.ts";
import { readCurrent } from "../../pipeline/generations/generation.ts";
import { dropEnrollment, flipByte, listTree, openReader, readHistory } from "../support/published/recorded-history.ts";
import { openSmallCampus } from "../support/upstream/small-campus.ts";
import { start } from "../support/program.ts";
import { openFolder, run } from "../support/whole-run.ts";

const onDay = (day: number) => () => new Date(`2026-11-${day}T18:00:00Z`);
const AFTER = "what was recorded after 2026-11-20T18:00:00.000Z is in no backup";
const withoutUpstream = { addresses: {}, sample: undefined };

let place: Awaited<ReturnType<typeof openFolder>>;
let template: typeof place;
let campus: Awaited<ReturnType<typeof openSmallCampus>>;
let reader: Database;
beforeAll(async () => {
  campus = await openSmallCampus(["2026 Fall"], onDay(21));
  template = await openFolder();
  await dropEnrollment(template.data);
  await run({ ...template.env, ...campus.urls({ only: ["schedule"] }) }, "build", onDay(20));
  await rm(join(template.data, "enrollment"), { recursive: true });
});
afterAll(async () => {
  await campus?.close();
  await template?.remove();
});
beforeEach(async () => {
  place = await openFolder();
  reader = await openReader(join(place.data, "spill"));
});
afterEach(async () => {
  reader.close();
  await place.remove();
});

/** Crawls the schedule of Fall, which is not what the base has of it. */
const crawl = (day: number, mode: "build" | "refresh" = "refresh") =>
  run({ ...place.env, ...campus.urls({ only: ["schedule"] }) }, mode, onDay(day), { allowShrink: true });

/** Publishes a calendar, and nothing else: the quickest run that has something of its own. */
async function refresh(day: number, mode: "build" | "refresh" = "refresh") {
  const calendar = [
    "year,quarter,instructionStart,instructionEnd,finalsStart,finalsEnd",
    "2026,Fall,2026-09-24,2026-12-04,2026-12-05,2026-12-11",
  ];
  await writeFile(join(place.data, "calendar.csv"), calendar.join("\n"));
  return run(place.env, mode, onDay(day), withoutUpstream);
}

const historyNow = async () => {
  const generation = await readCurrent(place.artifacts);
  if (!generation) throw new Error("nothing is published");
  return readHistory(reader, generation.folder);
};
const backups = () => join(place.data, "backup");
const readList = async (name: string) => JSON.parse(await readFile(join(backups(), name), "utf8")) as BackupList;

/** A history that a run has published and backed up. */
async function backedUp() {
  for (const folder of ["data", "artifacts"] as const)
    await cp(template[folder], place[folder], { recursive: true, verbatimSymlinks: true });
  return historyNow();
}

test.each(["build", "refresh"] as const)(
  "a %s with a backup and without anything published begins with the backed-up history",
  async (mode) => {
    const history = await backedUp();
    await rm(place.artifacts, { recursive: true });
    const report = await refresh(28, mode);
    expect(report.history).toEqual({
      notes: ["recorded history restored from the backup of 2026-11-20", AFTER],
      problems: [],
    });
    expect(await historyNow()).toEqual(history);
    expect(report).toMatchObject({ failed: false, backup: { taken: true, newest: "2026-11-28" } });
    const text = await readFile(join(place.artifacts, "report.txt"), "utf8");
    expect(text).toContain("history: recorded history restored from the backup of 2026-11-20");
    expect(text).toMatch(/backup: taken; 2 days, the newest 2026-11-28, 0\.0 MB/);
  },
);

test("the schedule is crawled beside it, and the day recorded behind it", async () => {
  const history = await backedUp();
  await rm(place.artifacts, { recursive: true });
  const report = await crawl(21);
  expect(report.failed).toBe(false);
  const { snapshots } = await historyNow();
  expect(snapshots).toEqual(expect.arrayContaining(history.snapshots));
  expect(snapshots.filter((text) => text.includes('"day":"2026-11-21"')).length).toBeGreaterThan(30);
});

describe("the backups of the history", () => {
  test("of an older contract are migrated", async () => {
    const history = await backedUp();
    await rm(place.artifacts, { recursive: true });
    const list = await readList("2026-11-20.json");
    await writeFile(join(backups(), "2026-11-20.json"), JSON.stringify({ ...list, contract: 0 }));
    const report = await refresh(21);
    expect(report.history?.notes).toEqual([
      "recorded history restored from the backup of 2026-11-20, migrated from contract version 0",
      AFTER,
    ]);
    expect(await historyNow()).toEqual(history);
  });

  test("with a bit flipped in the newest copy: the one before it is restored, and what is lost is named", async () => {
    await backedUp();
    await crawl(21);
    const files = (name: string) => readList(name).then(({ files }) => files);
    const isNovember = ({ table, partition }: BackupList["files"][number]) =>
      table === "enrollment_periods" && partition.month === "2026-11";
    const newest = (await files("2026-11-21.json")).find(isNovember);
    const before = (await files("2026-11-20.json")).find(isNovember);
    expect(newest?.sha256).not.toBe(before?.sha256);
    await flipByte(join(backups(), "files", `${newest?.sha256}.parquet`));
    await rm(place.artifacts, { recursive: true });
    const report = await refresh(22);
    expect(report.failed).toBe(true);
    expect(report.history?.problems).toEqual([
      "enrollment_periods 2026 Fall 2026-11: the newest copy is damaged, that of 2026-11-20 is restored",
    ]);
    const days = (await historyNow()).snapshots.map((text) => (JSON.parse(text) as { day: string }).day);
    expect(days).toContain("2026-11-05");
    expect(days).not.toContain("2026-11-21");
  });

  test("whose newest list is cut off: the list before it is restored", async () => {
    const history = await backedUp();
    await writeFile(join(backups(), "2026-11-21.json"), '{"contract": 1, "createdAt": "2026-');
    await rm(place.artifacts, { recursive: true });
    const report = await refresh(22);
    expect(await historyNow()).toEqual(history);
    expect(report.backup?.problems).toEqual([
      "the list 2026-11-21.json was damaged and is now 2026-11-21.json.damaged",
    ]);
  });

  test("with a list of a later day than today: it was taken while the clock was wrong, and comes last", async () => {
    const history = await backedUp();
    const list = await readList("2026-11-20.json");
    const empty = { ...list, files: list.files.filter(({ partition }) => partition.year === "2025") };
    await writeFile(
      join(backups(), "2031-01-01.json"),
      JSON.stringify({ ...empty, createdAt: "2031-01-01T20:00:00.000Z" }),
    );
    await rm(place.artifacts, { recursive: true });
    expect((await refresh(21)).history?.notes?.[0]).toBe("recorded history restored from the backup of 2026-11-20");
    expect(await historyNow()).toEqual(history);
  });

  test.each([
    [99, "a newer version of this program"],
    [9, "a version of this program from before its first release"],
  ])("of contract %i stop the run: nothing is published without what they hold", async (contract, writer) => {
    await backedUp();
    const list = await readList("2026-11-20.json");
    await writeFile(join(backups(), "2026-11-21.json"), JSON.stringify({ ...list, contract }));
    const before = await listTree(backups());
    await rm(place.artifacts, { recursive: true });
    await expect(refresh(21)).rejects.toThrow(`the backup 2026-11-21.json in ${backups()} was written by ${writer}`);
    expect(await readCurrent(place.artifacts)).toBeUndefined();
    expect(await listTree(backups())).toEqual(before);
  });

  test("of a contract that is refused stay as they are, whatever is backed up, also on their day", async () => {
    await backedUp();
    const list = { ...(await readList("2026-11-20.json")), contract: 9, snapshot: "9".repeat(16) };
    const names = ["2026-01-01.json", "2026-11-21.json"];
    for (const name of names) await writeFile(join(backups(), name), JSON.stringify(list));
    const before = await listTree(backups());
    const { backup } = await crawl(21);
    expect(backup).toMatchObject({
      ...{ failed: true, taken: false },
      problems: [expect.stringMatching(/^the backup 2026-11-21\.json in .* was written by .* first release/)],
    });
    expect((await crawl(22)).backup).toMatchObject({ failed: false, taken: true, newest: "2026-11-22" });
    expect(await listTree(backups())).toMatchObject(before);
  });

  test("of another campus are left where they are", async () => {
    await backedUp();
    await rm(place.artifacts, { recursive: true });
    const name = "2026-11-20.json";
    const list = await readList(name);
    await writeFile(
      join(backups(), name),
      JSON.stringify({ ...list, source: { schedule: "sample campus (standard)" } }),
    );
    const report = await crawl(20, "build");
    expect(report).toMatchObject({ failed: false, backup: { taken: true } });
    expect(report.history).toBeUndefined();
    const now = await readList(name);
    expect(now.files.map(({ partition }) => partition.month).filter(Boolean)).toEqual(["2026-11"]);
    expect((await readdir(backups())).filter((entry) => entry.endsWith(".json"))).toEqual([
      `2026-11-20.${list.snapshot}.json`,
      name,
    ]);
  });
});

describe("by hand", () => {
  test("one command puts a backup's history in the place of the published one; what it replaced is kept for good", async () => {
    const history = await backedUp();
    await crawl(21);
    const later = await historyNow();
    expect(later).not.toEqual(history);
    const { code, out } = await start("pipeline/main.ts", ["restore", "2026-11-20"], place.env).ended;
    expect([code, out]).toEqual([0, "recorded history restored from the backup of 2026-11-20\n"]);
    expect(await historyNow()).toEqual(history);
    expect((await readdir(backups())).filter((name) => /^[\d-]+\.[0-9a-f]{16}\.json$/.test(name))).toHaveLength(1);
    // What was restored is the newest backup now, not what it replaced.
    expect((await start("pipeline/main.ts", ["restore"], place.env).ended).code).toBe(0);
    expect(await historyNow()).toEqual(history);
    const [newest] = (await readdir(backups())).filter((name) => /^[\d-]+\.json$/.test(name)).toReversed();
    expect((await readList(newest ?? "")).snapshot).toBe((await readCurrent(place.artifacts))?.manifest.id);
  });

  test.each([
    ["restore 2020-01-01", /there is no backup of 2020-01-01 or of a day before it/],
    ["restore yesterday", /the day must be written as 2026-11-20, not yesterday/],
  ])("%s: status 2, and nothing changes", async (command, words) => {
    await backedUp();
    const before = await readCurrent(place.artifacts);
    const { code, err } = await start("pipeline/main.ts", command.split(" "), place.env).ended;
    expect([code, err]).toEqual([2, expect.stringMatching(words)]);
    expect(await readCurrent(place.artifacts)).toEqual(before);
  });
});

test("with nothing but the history nothing is published: it stays in its backup", async () => {
  await backedUp();
  await rename(place.artifacts, `${place.artifacts}.lost`);
  const report = await run(place.env, "refresh", onDay(21), withoutUpstream);
  expect(report).toMatchObject({ failed: true, changed: false, withheld: "no product has anything" });
  expect(await readCurrent(place.artifacts)).toBeUndefined();
  expect((await readdir(backups())).filter((name) => name.endsWith(".json"))).toEqual(["2026-11-20.json"]);
});
