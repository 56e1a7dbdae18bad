/**
 * The Delta Lake export: every retained snapshot can be read, by the versions in `snapshots.json`, and nothing else is
 * left on disk.
 */
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { LockedError, UsageError } from "../../../pipeline/errors.ts";
import { commitVersion } from "../../../pipeline/lake/delta/log.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { draws, isWhole } from "../../support/extent.ts";
import { isRetained } from "../../../pipeline/contract/retention.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { start } from "../../support/program.ts";
import { acquireLock } from "../../../pipeline/disk/lock.ts";
import { newestVersion, readVersion } from "./delta-reader.ts";
import { exportLake, listedSnapshots, type Marks, openLakeWorld } from "./lake-world.ts";

const { connection, publishMarks, readMarks, scratch } = await openLakeWorld();

const START = Date.parse("2024-10-01T12:00:00Z");
const HOUR = 3_600_000;
let places = 0;

function freshPlace() {
  const place = join(scratch, `place-${places++}`);
  return { artifacts: join(place, "artifacts"), lake: join(place, "lake") };
}

const dataFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(".parquet") && !path.includes("_delta_log"));

const marks: fc.Arbitrary<Marks> = fc.record({
  years: fc.record(
    { 2022: fc.integer({ min: 1, max: 3 }), 2023: fc.integer({ min: 1, max: 2 }) },
    { requiredKeys: [] },
  ),
  terms: fc.integer({ min: 1, max: 2 }),
});
const step = fc.record({ marks, hours: fc.constantFrom(0.2, 1, 5, 30, 400), twice: fc.boolean() });

test("any sequence of snapshots: each retained one reads as it was, from the versions that it is listed with", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 9 }), async (steps) => {
      const { artifacts, lake } = freshPlace();
      const retain = { hours: 6, days: 3, months: 2 };
      const published = new Map<string, Marks>();
      // Snapshots by number, newest first: when each was created and replaced.
      let served: { generation: number; createdAt: string; replacedAt: string }[] = [];
      let at = START;
      for (const { marks, hours, twice } of steps) {
        at += hours * HOUR;
        const now = new Date(at);
        const id = await publishMarks(artifacts, marks, now);
        published.set(id, marks);
        const { snapshot } = await exportLake(artifacts, lake, { now, retain, checkpointInterval: 3 });
        if (twice)
          expect((await exportLake(artifacts, lake, { now, retain, checkpointInterval: 3 })).changed).toEqual([]);
        const listed = listedSnapshots(lake);
        expect(listed[0]).toEqual(snapshot);
        expect(listed[0]?.id).toBe(id);
        const [{ createdAt = "", generation = 0 } = {}] = served;
        if (generation !== snapshot.generation) {
          if (served[0]) served[0] = { createdAt, generation, replacedAt: snapshot.createdAt };
          served.unshift({ ...snapshot, replacedAt: "" });
        }
        served = served.filter((snapshot, index) => index === 0 || isRetained(snapshot, retain, now));
        expect(listed.map((snapshot) => snapshot.generation)).toEqual(served.map((snapshot) => snapshot.generation));
        const needed = new Set<string>();
        for (const snapshot of listed) {
          expect(await readMarks(lake, snapshot)).toEqual(published.get(snapshot.id));
          for (const table of ["grades", "terms"])
            for (const { path } of await readVersion(connection, join(lake, table), snapshot.versions[table] ?? -1))
              needed.add(join(table, path));
        }
        expect(dataFiles(lake)).toEqual(expect.arrayContaining([...needed]));
      }
      const retain0 = { hours: 0, days: 0, months: 0 };
      const { snapshot } = await exportLake(artifacts, lake, { now: new Date(at + 1), retain: retain0 });
      const { years } = await readMarks(lake, snapshot);
      expect(dataFiles(lake)).toHaveLength(Object.keys(years).length + 1);
    }),
    { numRuns: draws(3) },
  );
});

test("the first export has a version of every table, also of one without files", async () => {
  const { artifacts, lake } = freshPlace();
  await expect(exportLake(artifacts, lake, { now: new Date() })).rejects.toThrow(UsageError);
  await publishMarks(artifacts, { years: { 2022: 1 }, terms: 1 }, new Date(START));
  const { changed, snapshot } = await exportLake(artifacts, lake, { now: new Date(START) });
  expect(changed).toEqual(TABLE_NAMES);
  expect(snapshot.versions).toEqual(Object.fromEntries(TABLE_NAMES.map((name) => [name, 0])));
  expect(await readVersion(connection, join(lake, "courses"), 0)).toEqual([]);
  const [file] = await readVersion(connection, join(lake, "grades"), 0);
  expect(file).toMatchObject({ partitionValues: { year: "2022" } });
  expect(statSync(join(lake, "grades", file?.path ?? "")).nlink).toBeGreaterThan(1);
});

// Every fifty versions, unless it is said: as many are made only in `make torture`.
const [EVERY, often] = isWhole ? [50, {}] : [5, { checkpointInterval: 5 }];
test(`a checkpoint every ${EVERY} versions holds what the commits before it say`, async () => {
  const { artifacts, lake } = freshPlace();
  for (let i = 0; i <= EVERY + 2; i++) {
    const now = new Date(START + i * HOUR);
    await publishMarks(artifacts, { years: { 2022: 1, 2023: 1 + (i % 3) }, terms: 1 }, now);
    await exportLake(artifacts, lake, { now, retain: { hours: 10_000, days: 0, months: 0 }, ...often });
  }
  const log = join(lake, "grades", "_delta_log");
  expect(readdirSync(log).filter((name) => !name.endsWith(".json"))).toEqual([
    `${String(EVERY).padStart(20, "0")}.checkpoint.parquet`,
    "_last_checkpoint",
  ]);
  expect(JSON.parse(readFileSync(join(log, "_last_checkpoint"), "utf8"))).toMatchObject({ version: EVERY });
  const newest = { versions: { grades: EVERY + 2, terms: 0 } };
  const before = await readMarks(lake, newest);
  for (let i = 0; i < EVERY; i++) rmSync(join(log, `${String(i).padStart(20, "0")}.json`));
  expect(await readMarks(lake, newest)).toEqual(before);
  expect(before.years).toEqual({ 2022: 1, 2023: 1 + ((EVERY + 2) % 3) });
  // The next export starts from it, and removes the files of those hours when nothing retains them.
  const now = new Date(START + 60 * HOUR);
  await publishMarks(artifacts, { years: { 2022: 1 }, terms: 1 }, now);
  const later = new Date(now.getTime() + 1);
  await exportLake(artifacts, lake, { now: later, retain: { hours: 0, days: 0, months: 0 }, ...often });
  expect(newestVersion(join(lake, "grades"))).toBe(EVERY + 3);
  expect((await readMarks(lake, listedSnapshots(lake)[0] as never)).years).toEqual({ 2022: 1 });
  expect(dataFiles(join(lake, "grades"))).toHaveLength(1);
});

test("a data file that is missing from the copy comes back with the next export", async () => {
  const { artifacts, lake } = freshPlace();
  await publishMarks(artifacts, { years: { 2022: 1, 2023: 1 }, terms: 1 }, new Date(START));
  await exportLake(artifacts, lake, { now: new Date(START) });
  const [gone = ""] = dataFiles(join(lake, "grades"));
  rmSync(join(lake, "grades", gone));
  await exportLake(artifacts, lake, { now: new Date(START) });
  expect((await readMarks(lake, listedSnapshots(lake)[0] as never)).years).toEqual({ 2022: 1, 2023: 1 });
});

test("a second export at the same time is refused, and cannot overwrite a version", async () => {
  const { artifacts, lake } = freshPlace();
  await publishMarks(artifacts, { years: { 2022: 1 }, terms: 1 }, new Date(START));
  const lock = await acquireLock(join(lake, ".lock"), { beatMs: 20 });
  await expect(exportLake(artifacts, lake, { now: new Date() })).rejects.toThrow(LockedError);
  expect(existsSync(join(lake, "grades"))).toBe(false);
  await lock.release();
  await exportLake(artifacts, lake, { now: new Date() });
  const folder = join(lake, "grades");
  const text = readFileSync(join(folder, "_delta_log", "00000000000000000000.json"), "utf8");
  for (const disk of [nodeDisk, withoutLinks]) {
    const store = openFolderStore(lake, disk);
    expect(await store.exclusively(() => commitVersion(store, "grades", 0, []))).toBe(false);
  }
  expect(readFileSync(join(folder, "_delta_log", "00000000000000000000.json"), "utf8")).toBe(text);
});

const withoutLinks: Disk = {
  ...nodeDisk,
  link: () => Promise.reject(Object.assign(new Error("no hard links here"), { code: "ENOTSUP" })),
};

test("a file system without hard links gets copies", async () => {
  const { artifacts, lake } = freshPlace();
  for (const [hour, year] of [2022, 2023].entries()) {
    const now = new Date(START + hour * HOUR);
    await publishMarks(artifacts, { years: { [year]: 1 }, terms: 1 }, now);
    await exportLake(artifacts, lake, { now, disk: withoutLinks });
    expect((await readMarks(lake, listedSnapshots(lake)[0] as never)).years).toEqual({ [year]: 1 });
  }
  for (const path of dataFiles(lake)) expect(statSync(join(lake, path)).nlink).toBe(1);
});

test("the command: what it exported, and status 3", async () => {
  const { artifacts, lake } = freshPlace();
  const command = (folder: string) =>
    start("pipeline/main.ts", ["export", "--delta", "--", folder], { ARTIFACTS_DIR: artifacts }).ended;
  await publishMarks(artifacts, { years: { 2022: 1 }, terms: 1 }, new Date(START));
  const first = await command(lake);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(/^exported [0-9a-f]{16}: sections 0, .*grades 0.*\n$/);
  const lock = await acquireLock(join(lake, ".lock"), { beatMs: 20 });
  expect((await command(lake)).code).toBe(3);
  await lock.release();
});
