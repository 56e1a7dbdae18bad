/**
 * "artifacts/ is gone … but data/backup/ is there": a run begins with the newest sound history, and reports it. By real
 * runs.
 */
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dayOf, openBackups, readState } from "../../pipeline/backup/backups.ts";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { nodeDisk } from "../../pipeline/disk/disk.ts";
import { manifestText, POINTER, snapshotKey } from "../../pipeline/store/pointer.ts";
import type { Database } from "../../pipeline/store/database.ts";
import { readCurrent } from "../../pipeline/store/published.ts";
import { dropEnrollment, flipByte, openReader, readHistory } from "../support/published/recorded-history.ts";
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
  const published = await readCurrent(place.artifacts);
  if (!published) throw new Error("nothing is published");
  return readHistory(reader, published);
};
const backups = () => join(place.data, "backup");
const stateNow = () => readState(openBackups(place.data, nodeDisk));
/** The days of the backups, newest first, and their manifests. */
const backupsNow = async () => (await stateNow()).manifests.map((backup) => [dayOf(backup), backup] as const);
const newestBackup = async () => (await backupsNow())[0]?.[1] as Manifest;
const pathOf = (backup: Manifest) => join(backups(), snapshotKey(backup));
/** Puts another manifest beside the one of the store, which a damaged pointer does not name. */
async function putManifest(manifest: Manifest): Promise<void> {
  await writeFile(pathOf(manifest), manifestText(manifest));
  await rm(join(backups(), POINTER));
}

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
    const backup = await newestBackup();
    for (const path of [pathOf(backup), join(backups(), POINTER)])
      await writeFile(path, (await readFile(path, "utf8")).replace(/"contract": \d+/, '"contract": 0'));
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
    const [newest, before] = (await backupsNow()).map(([, { files }]) =>
      files.find(({ table, partition }) => table === "enrollment_periods" && partition.month === "2026-11"),
    );
    expect(newest?.sha256).not.toBe(before?.sha256);
    await flipByte(join(backups(), newest?.path ?? ""));
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

  test.each([POINTER, "manifest"])("whose %s is cut off are restored, and it is made again", async (document) => {
    const history = await backedUp();
    const backup = await newestBackup();
    const path = document === POINTER ? join(backups(), POINTER) : pathOf(backup);
    await truncate(path, 40);
    await rm(place.artifacts, { recursive: true });
    const report = await refresh(22);
    expect(await historyNow()).toEqual(history);
    expect(report.backup?.problems).toEqual(
      document === POINTER ? ["current.json of the backups was damaged and is made again"] : [],
    );
    expect(await backupsNow()).toEqual([
      ["2026-11-22", expect.anything()],
      ["2026-11-20", backup],
    ]);
  });

  test("with one of a later day than today: it was taken while the clock was wrong, and comes last", async () => {
    const history = await backedUp();
    const backup = await newestBackup();
    const files = backup.files.filter(({ partition }) => partition.year === "2025");
    const later = { ...backup, generation: backup.generation + 1, createdAt: "2031-01-01T20:00:00.000Z", files };
    await putManifest(later);
    await rm(place.artifacts, { recursive: true });
    expect((await refresh(21)).history?.notes?.[0]).toBe("recorded history restored from the backup of 2026-11-20");
    expect(await historyNow()).toEqual(history);
  });

  test("of a newer contract stop the run: nothing is published without what they hold", async () => {
    await backedUp();
    await writeFile(join(backups(), POINTER), JSON.stringify({ snapshot: { contract: 99 } }));
    await rm(place.artifacts, { recursive: true });
    await expect(refresh(21)).rejects.toThrow(/the newest backup in .* was written by a newer version/);
    expect(await readCurrent(place.artifacts)).toBeUndefined();
  });

  test("of another campus are left where they are", async () => {
    await backedUp();
    await rm(place.artifacts, { recursive: true });
    const backup = await newestBackup();
    const theirs = { ...backup, source: { schedule: "sample campus (standard)" } };
    await putManifest(theirs);
    const report = await crawl(20, "build");
    expect(report).toMatchObject({ failed: false, backup: { taken: true } });
    expect(report.history).toBeUndefined();
    const { manifests, retained } = await stateNow();
    expect(manifests[0]?.files.map(({ partition }) => partition.month).filter(Boolean)).toEqual(["2026-11"]);
    expect([manifests.slice(1), retained]).toEqual([[theirs], [expect.objectContaining({ isKept: true })]]);
  });

  test("of an older layout are neither read nor removed, and the report says so", async () => {
    const lists = ["2026-11-18.json", "2026-11-19.json"];
    await mkdir(join(backups(), "files"), { recursive: true });
    for (const name of [...lists, `files/${"a".repeat(64)}.parquet`]) await writeFile(join(backups(), name), "old");
    const note = "backups of an older layout are neither read nor removed: backup/2026-11-18.json and 1 more";
    expect(await refresh(20)).toMatchObject({ failed: false, history: { notes: [note], problems: [] } });
    expect(await readdir(backups())).toEqual(expect.arrayContaining([...lists, "files"]));
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
    expect((await stateNow()).retained.filter(({ isKept }) => isKept)).toHaveLength(1);
    // The restored history is the newest backup now, not the one that it replaced.
    expect((await start("pipeline/main.ts", ["restore"], place.env).ended).code).toBe(0);
    expect(await historyNow()).toEqual(history);
    expect((await newestBackup()).id).toBe((await readCurrent(place.artifacts))?.manifest.id);
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
  expect((await backupsNow()).map(([day]) => day)).toEqual(["2026-11-20"]);
});
