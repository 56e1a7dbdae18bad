/** "Old generations are kept while anyone may read them (at least the last 3 and at least an hour), then removed." */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { type Generation, readCurrent } from "../../../pipeline/generations/generation.ts";
import { collect } from "../../../pipeline/publish/retention.ts";
import { openPublisher } from "./publisher.ts";
import { scratchDatabase, scratchFolder } from "./scratch.ts";

const database = await scratchDatabase();
const scratch = scratchFolder();
const START = Date.parse("2024-10-01T00:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let artifacts = "";
let count = 0;
let clock = START;
beforeEach(() => {
  artifacts = join(scratch, String(count++));
  mkdirSync(artifacts);
  clock = START;
});

const publishAt = async (ms: number, fails = false) => {
  clock = START + ms;
  const disk = fails ? { ...nodeDisk, symlink: () => Promise.reject(new Error("killed before the flip")) } : nodeDisk;
  const publisher = await openPublisher(artifacts, {
    database,
    disk,
    rows: 5,
    tables: ["terms", "departments"],
    now: () => new Date(clock),
  });
  if (fails) await expect(publisher.publish()).rejects.toThrow("killed");
  else await publisher.publish();
};
const collectAt = (ms: number, more: object = {}) => collect(artifacts, { now: new Date(START + ms), ...more });
const numbers = async () =>
  (await nodeDisk.readdir(join(artifacts, "generations")))
    .map((name) => Number(name.split("-")[0]))
    .toSorted((a, b) => a - b);

test("hourly publishes: the last three stay, whatever their age", async () => {
  for (let hour = 0; hour < 6; hour++) {
    await publishAt(hour * HOUR);
    await collectAt(hour * HOUR + MINUTE);
  }
  expect(await numbers()).toEqual([4, 5, 6]);
  const { removed, generations } = await collectAt(1000 * HOUR);
  expect([removed, generations]).toEqual([[], 3]);
});

test("many publishes within an hour: each stays for an hour after it was replaced", async () => {
  for (let number = 0; number < 6; number++) await publishAt(number * 10 * MINUTE);
  await collectAt(50 * MINUTE);
  expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
  // Generation 1 was replaced after ten minutes, generation 2 after twenty.
  await collectAt(75 * MINUTE);
  expect(await numbers()).toEqual([2, 3, 4, 5, 6]);
});

test("an old generation that was in service until a minute ago stays", async () => {
  await publishAt(0);
  for (let number = 0; number < 4; number++) await publishAt(48 * HOUR + number * 1000);
  await collectAt(48 * HOUR + MINUTE);
  expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
});

test("nor does a publish that never reached its flip make the one in service look older", async () => {
  await publishAt(0);
  await publishAt(1 * HOUR, true);
  for (let number = 0; number < 4; number++) await publishAt(10 * HOUR + number * 1000);
  await collectAt(10 * HOUR + MINUTE);
  expect(await numbers()).toEqual([1, 3, 4, 5, 6]);
});

test("retained snapshots stay: all of the last hours, then the last of each campus day; a broken manifest removes nothing", async () => {
  const retain = { hours: 4, days: 3, months: 0 };
  // One every six hours from 17:00 on the campus: the one of 23:00 is the last of its day.
  for (let at = 0; at <= 60; at += 6) await publishAt(at * HOUR);
  expect((await collectAt(60 * HOUR, { retain, keepGenerations: 1 })).generations).toBe(4);
  expect(await numbers()).toEqual([2, 6, 10, 11]);
  expect((await readCurrent(artifacts))?.manifest.snapshots.map(({ generation }) => generation)).toHaveLength(10);
  await collectAt(90 * HOUR, { retain, keepGenerations: 1 });
  expect(await numbers()).toEqual([6, 10, 11]);
  await publishAt(91 * HOUR);
  const { manifest, folder } = (await readCurrent(artifacts)) as Generation;
  expect(manifest.snapshots.map(({ generation }) => generation)).toEqual([11, 10, 6]);
  writeFileSync(join(folder, "manifest.json"), "{");
  expect((await collectAt(1000 * HOUR, { retain, keepGenerations: 1 })).removed).toEqual([]);
});

test("the generation in service and newer ones are never removed", async () => {
  for (let hour = 0; hour < 5; hour++) await publishAt(hour * HOUR);
  const third = (await nodeDisk.readdir(join(artifacts, "generations")))[2] ?? "";
  rmSync(join(artifacts, "current"));
  symlinkSync(`generations/${third}`, join(artifacts, "current"));
  await collectAt(1000 * HOUR, { keepGenerations: 1, keepMs: 0 });
  expect(await numbers()).toEqual([3, 4, 5]);
  expect(await readCurrent(artifacts)).toBeDefined();
});

test("while nothing is in service, no generation is removed", async () => {
  for (let hour = 0; hour < 5; hour++) await publishAt(hour * HOUR);
  rmSync(join(artifacts, "current"));
  expect((await collectAt(1000 * HOUR)).removed).toEqual([]);
  symlinkSync("generations/9-0000000000000000", join(artifacts, "current"));
  expect((await collectAt(1000 * HOUR)).removed).toEqual([]);
  expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
});

test("leftovers of dead runs go, the own folder stays; files shared by hard links are counted once", async () => {
  await publishAt(0);
  await publishAt(HOUR);
  const staging = join(artifacts, "staging");
  for (const name of ["run-dead/files/terms", "run-own", "trash-x"])
    mkdirSync(join(staging, name), { recursive: true });
  writeFileSync(join(staging, "run-dead/files/terms/half.parquet"), "x".repeat(1000));
  writeFileSync(join(staging, "freshness-1.json"), "{");
  const { freedBytes, keptBytes, problems, removed } = await collectAt(HOUR, {
    ownFolders: [join(staging, "run-own")],
  });
  expect(await nodeDisk.readdir(staging)).toEqual(["run-own"]);
  expect(freedBytes).toBe(1001);
  expect([problems, removed]).toEqual([[], []]);
  const current = await readCurrent(artifacts);
  const ofOne = current?.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  expect(keptBytes).toBeGreaterThan(ofOne);
});

test("disk use stays bounded over many publishes", async () => {
  const kept: number[] = [];
  for (let number = 0; number < 12; number++) {
    await publishAt(number * HOUR);
    kept.push((await collectAt(number * HOUR + MINUTE)).keptBytes);
  }
  expect(kept.at(-1)).toBeLessThan((kept[3] ?? 0) * 1.1);
});

test("what cannot be removed is named and does not stop the rest", async () => {
  for (let hour = 0; hour < 6; hour++) await publishAt(hour * HOUR);
  let first = true;
  const disk = {
    ...nodeDisk,
    rename: (from: string, to: string) => {
      if (!first) return nodeDisk.rename(from, to);
      first = false;
      return Promise.reject(Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" }));
    },
  };
  const { problems, removed } = await collectAt(100 * HOUR, { disk });
  expect(problems).toEqual([expect.stringMatching(/^1-[0-9a-f]{16}: EACCES/)]);
  expect(removed).toHaveLength(2);
  expect((await collectAt(100 * HOUR)).removed).toHaveLength(1);
});
