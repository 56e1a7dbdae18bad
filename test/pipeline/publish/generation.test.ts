/** A generation comes into being: its folder, its manifest, the link; what is shared, what is refused. */
import { readlinkSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snapshotsOf } from "../../../pipeline/contract/as-of.ts";
import {
  type Manifest,
  manifest as manifestSchema,
  type PublishedFile,
} from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { GuardError, LockedError } from "../../../pipeline/errors.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { changesBeforeOf, changesDigest, nextSnapshot, snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import { readBase } from "../../../pipeline/generations/base.ts";
import { readCurrent } from "../../../pipeline/generations/generation.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { faultyDisk } from "./faulty-disk.ts";
import { now, openYears, options } from "./years.ts";

const { connection, goElsewhere, place, publishYears, start, writeYear } = await openYears();

const inodeOf = async (folder: string, file: PublishedFile | undefined) =>
  (await nodeDisk.stat(join(folder, file?.path ?? "")))?.inode;

test("nothing was published yet", async () => {
  expect(await readCurrent(place.artifacts)).toBeUndefined();
  expect(await readBase(place.artifacts)).toMatchObject({ generation: undefined, damage: undefined, damaged: [] });
  await expect((await start()).publish(options)).rejects.toThrow(GuardError);
});

test("the first generation: its folder, its manifest, the link", async () => {
  const { id, changed, generation } = await publishYears(["2023", 1], ["2024", 1]);
  expect(changed).toBe(true);
  expect(readlinkSync(join(place.artifacts, "current"))).toBe(`generations/1-${id}`);
  const written: unknown = JSON.parse(await readFile(join(place.artifacts, "current/manifest.json"), "utf8"));
  expect(manifestSchema.parse(written)).toEqual(generation.manifest);
  expect(generation.manifest).toMatchObject({
    contract: CONTRACT_VERSION,
    id,
    generation: 1,
    createdAt: now.toISOString(),
    source: { grades: "test" },
  });
  expect(await readCurrent(place.artifacts)).toEqual(generation);
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  expect(await nodeDisk.readdir(join(place.artifacts, "staging"))).toEqual([]);
});

test("what was not written again is carried over as a hard link; what came out the same shares it too", async () => {
  const first = await publishYears(["2022", 1], ["2023", 1], ["2024", 1]);
  const second = await publishYears(["2023", 1], ["2024", 2]);
  expect(second.generation.manifest.generation).toBe(2);
  const pair = async (of: string) =>
    Promise.all(
      [first, second].map(({ generation: { folder, manifest } }) =>
        inodeOf(
          folder,
          manifest.files.find(({ partition }) => partition.year === of),
        ),
      ),
    );
  for (const of of ["2022", "2023"]) {
    const [before, after] = await pair(of);
    expect(after).toBe(before);
  }
  const [before, after] = await pair("2024");
  expect(after).not.toBe(before);
  expect(await verifyGeneration(connection, first.generation)).toEqual([]);
  expect(await verifyGeneration(connection, second.generation)).toEqual([]);
});

test("the same data: the id stays, nothing is published", async () => {
  const first = await publishYears(["2023", 1], ["2024", 1]);
  const again = await publishYears(["2024", 1], ["2023", 1]);
  expect(again).toEqual({ id: first.id, generation: first.generation, changed: false });
  expect(await nodeDisk.readdir(join(place.artifacts, "generations"))).toHaveLength(1);
});

test("the id depends on the data alone: built elsewhere, later, in another order, it is the same", async () => {
  const first = await publishYears(["2023", 1], ["2024", 1]);
  goElsewhere();
  await publishYears(["2020", 9]);
  const staging = await start();
  staging.replaceTable("grades", [await writeYear(staging, "2024", 1), await writeYear(staging, "2023", 1)]);
  const elsewhere = await staging.publish({ source: {}, now: new Date("2030-01-01T00:00:00Z") });
  expect(elsewhere.id).toBe(first.id);
  expect(elsewhere.generation.manifest.generation).toBe(2);
});

test("ids of different places differ though the contents are the same", () => {
  const file = { table: "grades", path: "p", sha256: "a".repeat(64), rows: 1, bytes: 1 };
  const fall = { year: "2024", quarter: "Fall" as const };
  const ids = [
    {},
    { year: "2024" },
    { quarter: "Fall" as const },
    fall,
    { ...fall, month: "2024-09" },
    { ...fall, month: "2024-10" },
  ].map((partition) => snapshotId([{ ...file, partition }], null));
  expect(new Set(ids).size).toBe(6);
  expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
});

test("a run sees the tables as they would be published; partitions can go", async () => {
  await publishYears(["2022", 1], ["2023", 1], ["2024", 1]);
  const staging = await start();
  const fresh = await writeYear(staging, "2024", 5);
  staging.put(fresh);
  staging.remove("grades", { year: "2022" });
  expect(staging.find("grades", { year: "2024" })).toBe(fresh);
  expect(staging.find("grades", { year: "2022" })).toBeUndefined();
  const seen = await connection.runAndReadAll(
    `SELECT "year", "gradeACount" FROM read_parquet([${staging
      .paths("grades")
      .map((path) => `'${path}'`)
      .join(", ")}], hive_partitioning = false) ORDER BY 1`,
  );
  expect(seen.getRowsJson()).toEqual([
    ["2023", 1],
    ["2024", 5],
  ]);
  const { generation } = await staging.publish(options);
  expect(generation.manifest.files.map(({ partition }) => partition.year)).toEqual(["2023", "2024"]);
  expect(staging.paths("terms")).toEqual([]);
});

test("a file system without hard links gets copies", async () => {
  await publishYears(["2023", 1]);
  const staging = await start({
    ...nodeDisk,
    link: () => Promise.reject(Object.assign(new Error("no links here"), { code: "EPERM" })),
  });
  staging.put(await writeYear(staging, "2024", 1));
  const { generation } = await staging.publish(options);
  expect(await verifyGeneration(connection, generation)).toEqual([]);
});

test("a number is never given twice, though the flip was missed", async () => {
  await publishYears(["2024", 1]);
  const { disk } = faultyDisk();
  const missed = await start({ ...disk, symlink: () => Promise.reject(new Error("killed")) });
  missed.put(await writeYear(missed, "2024", 2));
  await expect(missed.publish(options)).rejects.toThrow("killed");
  expect((await readCurrent(place.artifacts))?.manifest.generation).toBe(1);
  expect((await publishYears(["2024", 3])).generation.manifest.generation).toBe(3);
});

test("a run that lost its lock publishes nothing, even when it loses it right before the flip", async () => {
  const { id } = await publishYears(["2024", 1]);
  for (const allowed of [0, 1]) {
    let asked = 0;
    const assertHeld = () => (asked++ < allowed ? Promise.resolve() : Promise.reject(new LockedError("taken over")));
    const staging = await start();
    staging.put(await writeYear(staging, "2024", 2));
    await expect(staging.publish({ ...options, assertHeld })).rejects.toThrow(LockedError);
    expect((await readCurrent(place.artifacts))?.manifest.id).toBe(id);
  }
});

test("a run does not overwrite what another one published meanwhile", async () => {
  await publishYears(["2024", 1]);
  const slow = await start();
  slow.put(await writeYear(slow, "2024", 2));
  let other = "";
  const assertHeld = async () => {
    if (other === "") other = (await publishYears(["2024", 3])).id;
  };
  await expect(slow.publish({ ...options, assertHeld })).rejects.toThrow(/another run published/);
  expect((await readCurrent(place.artifacts))?.manifest.id).toBe(other);
});

describe("the id of a snapshot and the changes before it", () => {
  const file = (table: string, mark: string): PublishedFile => ({
    table,
    partition: { year: "2024", quarter: "Fall" },
    path: `${table}/${mark}.parquet`,
    sha256: mark.repeat(64),
    rows: 1,
    bytes: 1,
  });
  const follow = (before: Manifest | undefined, files: PublishedFile[]): Manifest =>
    ({ ...nextSnapshot(before, files), files }) as Manifest;

  test("A → B → A: three ids, as changes were recorded in between; sources and changes themselves are not in the id", () => {
    const first = follow(undefined, [file("sections", "a")]);
    const second = follow(first, [file("sections", "b"), file("changes", "1")]);
    const third = follow(second, [file("sections", "a"), file("changes", "2")]);
    expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    expect([first, second].map(({ changesBefore }) => changesBefore)).toEqual([null, null]);
    expect(third.changesBefore).toBe(changesDigest(second.files));
    const others = [file("sections", "b"), file("changes", "3"), file("sources", "4")];
    expect(follow(first, others).id).toBe(second.id);
  });

  test("the same data is the same snapshot, whatever was recorded when it was published", () => {
    const first = follow(undefined, [file("sections", "a")]);
    const second = follow(first, [file("sections", "b"), file("changes", "1")]);
    expect(follow(second, [file("changes", "1"), file("sections", "b")])).toMatchObject({ id: second.id });
    expect(changesBeforeOf(second.files, second.id, [])).toBe(null);
    expect(changesBeforeOf([file("sections", "c")], second.id, [null])).toBe(undefined);
    const third = follow(second, [file("sections", "c")]);
    expect(changesBeforeOf(third.files, third.id, ["0", changesDigest(second.files)])).toBe(third.changesBefore);
    expect(changesBeforeOf(third.files, third.id, ["0"])).toBe(undefined);
  });

  test("the same data with fewer or more changes before it is another snapshot", () => {
    const files = [file("sections", "a"), file("changes", "1")];
    const before = follow(undefined, files);
    for (const found of [[], [file("changes", "2")]])
      expect(nextSnapshot(before, [file("sections", "a"), ...found], found).id).not.toBe(before.id);
    expect(nextSnapshot(before, files, files).id).toBe(before.id);
  });
});

test("a snapshot lists the earlier ones that are still there, newest first, with the times in which they were served", async () => {
  const at = (minute: number) => new Date(Date.UTC(2024, 9, 1, 12, minute));
  const publish = async (mark: number) => {
    const staging = await start();
    staging.put(await writeYear(staging, "2024", mark));
    return (await staging.publish({ ...options, now: at(mark) })).generation.manifest;
  };
  const [first, second, third] = [await publish(1), await publish(2), await publish(3)];
  expect(first.snapshots).toEqual([]);
  const entry = ({ id, generation, createdAt }: Manifest, replacedAt: Date) => ({
    id,
    generation,
    createdAt,
    replacedAt: replacedAt.toISOString(),
  });
  expect(third.snapshots).toEqual([entry(second, at(3)), entry(first, at(2))]);
  expect(snapshotsOf(third).map(({ id, servedUntil }) => [id, servedUntil])).toEqual([
    [third.id, null],
    [second.id, at(3).toISOString()],
    [first.id, at(2).toISOString()],
  ]);
  await rm(join(place.artifacts, "generations", `2-${second.id}`), { recursive: true });
  expect((await publish(4)).snapshots).toEqual([entry(third, at(4)), entry(first, at(2))]);
});
