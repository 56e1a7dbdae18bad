/**
 * Backups on a disk in memory: their content, when a backup is taken, what is verified and repaired, and what is
 * reported.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBackups } from "../../../pipeline/backup/backups.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { manifestText, POINTER, snapshotKey } from "../../../pipeline/store/pointer.ts";
import { ARTIFACTS, fileOf } from "../../support/memory-generations.ts";
import { DAY, dayAfter, HISTORY, objectOf, openWorld, OURS, PERIODS, TEXTS, THEIRS } from "./backup-world.ts";

const TAKEN = { taken: true, failed: false, repaired: [], problems: [] };
const NOT_TAKEN = { ...TAKEN, taken: false };
const FAILED = { ...NOT_TAKEN, failed: true };
const YEAR = { year: "2024" };
const NEXT = dayAfter(DAY, 1);
const OTHER = { ...TEXTS, [HISTORY]: "other history" };

describe("a backup", () => {
  it("is the published snapshot with recorded history alone, in files that a file browser shows", async () => {
    const { disk, keys, newest, take } = openWorld();
    expect(await take()).toMatchObject({ ...TAKEN, newest: DAY, backups: 1, bytes: 14 });
    const files = [fileOf(HISTORY, YEAR, "history"), fileOf(PERIODS, YEAR, "periods")];
    const backup = await newest();
    expect(backup).toMatchObject({ createdAt: `${DAY}T20:00:00.000Z`, source: OURS, files });
    expect(disk.paths()).toContain(`/artifacts/snapshots/1-${backup.id}.json`);
    expect(keys()).toEqual([POINTER, ...files.map(({ path }) => path), `snapshots/1-${backup.id}.json`]);
    expect(await disk.readFile(`/data/backup/${objectOf("history")}`)).toBe("history");
    expect(await disk.readFile(`/data/backup/${snapshotKey(backup)}`)).toBe(manifestText(backup));
  });

  it("is not taken of nothing, nor again in a day in which nothing is recorded; the first run of a day takes one", async () => {
    const { keys, take, times } = openWorld();
    expect(await take({ texts: { grades: "grades" } })).toMatchObject({ ...NOT_TAKEN, newest: null });
    expect(keys()).toEqual([]);
    await take();
    expect(await take({ hour: 23 })).toMatchObject(NOT_TAKEN);
    // A campus day ends at 8 in the morning of this clock.
    expect(await take({ day: NEXT, hour: 10 })).toMatchObject({ ...TAKEN, newest: NEXT, backups: 2 });
    expect(await times()).toEqual([`${NEXT}T10`, `${DAY}T20`]);
  });

  it("within a day takes the place of the one before it, of an older contract as well", async () => {
    const { keys, take, times } = openWorld();
    await take({ contract: CONTRACT_VERSION - 1, hour: 18 });
    expect(await take({ hour: 19 })).toMatchObject({ ...TAKEN, backups: 1 });
    expect(await take({ texts: OTHER })).toMatchObject({ ...TAKEN, backups: 1 });
    expect(await times()).toEqual([`${DAY}T20`]);
    expect(keys()).not.toContain(objectOf("history"));
  });

  it.each([
    ["that has terms which are not published any more stays", { texts: { [HISTORY]: "other history" } }, ""],
    ["of another campus stays for good", { source: THEIRS }, " kept"],
  ])("%s", async (_, next, mark) => {
    const { newest, store, take, times } = openWorld();
    await take();
    expect(await take({ ...next, hour: 21 })).toMatchObject({ ...TAKEN, backups: 2 });
    expect(await times()).toEqual([`${DAY}T21`, `${DAY}T20${mark}`]);
    expect((await readBackups(store)).map(({ files }) => files.length)).toEqual([(await newest()).files.length, 2]);
  });

  it("for good is taken once of a snapshot, and no later one removes it", async () => {
    const { take, times } = openWorld();
    await take({ hour: 18 });
    expect(await take({ forGood: true, hour: 19 })).toMatchObject(TAKEN);
    expect(await take({ forGood: true, hour: 20 })).toMatchObject(NOT_TAKEN);
    expect(await take({ forGood: true, texts: { grades: "grades" } })).toMatchObject(NOT_TAKEN);
    await take({ hour: 21, texts: OTHER });
    expect(await take({ forGood: true, hour: 22 })).toMatchObject(NOT_TAKEN);
    await take({ day: "2031-05-01", texts: { ...OTHER, [PERIODS]: "more" } });
    expect(await times()).toEqual(["2031-05-01T20", `${DAY}T21`, `${DAY}T19 kept`]);
  });

  it("of a day that is past, when the clock goes backwards, is taken, and what the clock made stays with it", async () => {
    const { take, times } = openWorld();
    await take({ day: "2031-01-01", texts: OTHER });
    expect(await take()).toMatchObject({ ...TAKEN, newest: DAY });
    expect(await take({ hour: 21 })).toMatchObject(NOT_TAKEN);
    expect((await times())[0]).toBe(`${DAY}T20`);
  });
});

it("the last backup of each of seven days and of each month stays, and so do its objects alone", async () => {
  const { keys, store, take, times } = openWorld();
  for (let n = 0; n <= 40; n++)
    for (const hour of [18, 20])
      await take({ day: dayAfter("2026-01-28", n), hour, texts: { ...TEXTS, [HISTORY]: `history ${n} ${hour}` } });
  const days = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => `2026-03-0${day}T20`);
  expect(await times()).toEqual([...days, "2026-02-28T20", "2026-01-31T20"]);
  const named = (await readBackups(store)).flatMap(({ files }) => files.map(({ path }) => path));
  expect(keys().filter((key) => key.endsWith(".parquet"))).toEqual([...new Set(named)].sort());
});

describe("damage", () => {
  const lost = `enrollment_history 2024 of the backup of ${DAY} is damaged and no longer published: remove `;

  it("of an object is found by the first run of a day, and filled from what is published", async () => {
    const { damage, disk, take } = openWorld();
    await take();
    damage(objectOf("history"));
    expect(await take({ hour: 21 })).toMatchObject(NOT_TAKEN);
    expect(await take({ day: NEXT })).toMatchObject({ ...TAKEN, repaired: ["enrollment_history 2024"] });
    expect(await disk.readFile(`/data/backup/${objectOf("history")}`)).toBe("history");
  });

  it("of an object that no other store has is named, by later runs as well, until its backup is given up", async () => {
    const { damage, disk, keys, newest, store, take, times } = openWorld();
    await take();
    const key = snapshotKey(await newest());
    damage(objectOf("history"));
    await disk.rm(join(ARTIFACTS, objectOf("history")));
    const problems = [`${lost}${key} to give it up`];
    expect(await take({ day: NEXT, texts: OTHER })).toMatchObject({ ...TAKEN, failed: true, problems });
    expect(keys()).not.toContain(objectOf("history"));
    expect(await take({ day: NEXT, hour: 21, texts: OTHER })).toMatchObject({ ...NOT_TAKEN, problems });
    await store.remove(key);
    expect(await take({ day: dayAfter(DAY, 2), texts: OTHER })).toMatchObject({ ...TAKEN, backups: 2 });
    expect(await times()).toEqual([`${dayAfter(DAY, 2)}T20`, `${NEXT}T20`]);
  });

  it("of another campus's objects is left alone", async () => {
    const { damage, keys, take } = openWorld();
    await take({ source: THEIRS });
    damage(objectOf("history"));
    expect(await take({ day: NEXT, texts: { [PERIODS]: "periods" } })).toMatchObject(TAKEN);
    expect(keys()).toContain(objectOf("history"));
  });

  it("of a manifest is named, and nothing is removed before it is", async () => {
    const { damage, keys, newest, store, take } = openWorld();
    await take();
    const key = snapshotKey(await newest());
    await take({ day: NEXT, texts: OTHER });
    damage(key);
    const problems = [`${key} of a backup cannot be read, and its files stay: remove it to give it up`];
    const later = { day: dayAfter(DAY, 2), texts: OTHER };
    expect(await take(later)).toMatchObject({ ...TAKEN, failed: true, problems });
    expect(await take({ ...later, hour: 21 })).toMatchObject({ ...NOT_TAKEN, problems });
    expect(keys()).toContain(objectOf("history"));
    await store.remove(key);
    expect(await take({ day: dayAfter(DAY, 3), texts: OTHER })).toMatchObject(TAKEN);
    expect(keys()).not.toContain(objectOf("history"));
  });

  it("of the current manifest is repaired from the pointer", async () => {
    const { damage, disk, newest, take } = openWorld();
    await take();
    const backup = await newest();
    damage(snapshotKey(backup));
    expect(await take({ day: NEXT, texts: OTHER })).toMatchObject({ ...TAKEN, backups: 2 });
    expect(await disk.readFile(`/data/backup/${snapshotKey(backup)}`)).toBe(manifestText(backup));
  });

  it("of the pointer is repaired from the manifests, of which none is removed any more", async () => {
    const { damage, store, take, times } = openWorld();
    await take();
    await take({ day: NEXT, texts: OTHER });
    damage(POINTER);
    const problems = ["current.json of the backups was damaged and is made again"];
    expect(await take({ day: NEXT, hour: 21, texts: OTHER })).toMatchObject({ taken: true, failed: true, problems });
    expect(await times()).toEqual([`${NEXT}T21`, `${DAY}T20 kept`]);
    // A first backup that was killed has no pointer yet.
    await store.remove(POINTER);
    expect(await take({ day: dayAfter(DAY, 2), texts: OTHER })).toMatchObject(TAKEN);
  });

  it.each([
    ["stops a day's backup", false, FAILED],
    ["is left out of a backup for good", true, { ...FAILED, taken: true }],
  ])("of a published file %s; what is backed up already needs no copy", async (_, forGood, report) => {
    const { disk, newest, take } = openWorld();
    const before = ({ folder }: { folder: string }) => disk.put(join(folder, objectOf("history")), "HISTORY");
    const problems = ["enrollment_history 2024 is damaged as it is published: it cannot be backed up"];
    expect(await take({ before, forGood })).toMatchObject({ ...report, problems });
    if (forGood) expect((await newest()).files).toEqual([fileOf(PERIODS, YEAR, "periods")]);
    await take({ hour: 21 });
    expect(await take({ before, day: NEXT })).toMatchObject(TAKEN);
  });
});

describe("backups that cannot be written", () => {
  it.each([
    ["full", { copyBytes: () => Promise.reject(full) }, "ENOSPC: no space left"],
    ["refused", { mkdir: () => Promise.reject("no error") }, "no error"],
    [
      "written otherwise",
      { copyBytes: async (_: string, to: string) => void disks.put(to, "HISTORY") },
      "a copy does not read back as it was written",
    ],
  ])("%s: a problem without paths, and nothing is left", async (_, faults, words) => {
    const { disk, keys, take } = openWorld(disks);
    const report = await take({ disk: { ...disk, ...faults } });
    expect(report).toMatchObject({ ...FAILED, newest: null, problems: [`the backup could not be written: ${words}`] });
    expect(keys()).toEqual([]);
  });
  const disks = openWorld().disk;
  const full = Object.assign(new Error("ENOSPC: no space left, copy '/data/x'"), { code: "ENOSPC" });

  it("because a newer program wrote them: they stay as they are", async () => {
    const { disk, keys, take } = openWorld();
    disk.put(`/data/backup/${POINTER}`, JSON.stringify({ snapshot: { contract: CONTRACT_VERSION + 1 }, newer: true }));
    const report = await take();
    const problems = [expect.stringContaining("the newest backup in data/backup was written by a newer version")];
    expect(report).toMatchObject({ ...FAILED, newest: null, problems });
    expect(keys()).toEqual([POINTER]);
  });
});
