/** A snapshot of Parquet files is published: its objects, manifest and checkout; what is shared, what is refused. */
import { readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Manifest,
  manifest as manifestSchema,
  type PublishedFile,
} from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { GuardError } from "../../../pipeline/errors.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { changesDigest, nextSnapshot } from "../../../pipeline/store/snapshot-id.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { verifyGeneration } from "../../../pipeline/store/verify.ts";
import { now, openYears, options } from "./years.ts";

const { connection, goElsewhere, place, publishYears, start, writeYear } = await openYears();

test("nothing was published yet", async () => {
  expect(await readCurrent(place.artifacts)).toBeUndefined();
  expect(await readBase(place.artifacts)).toMatchObject({ generation: undefined, damage: undefined, lost: [] });
  await expect((await start()).publish(options)).rejects.toThrow(GuardError);
});

test("the first snapshot: its objects, its manifest, its checkout", async () => {
  const { id, changed, generation } = await publishYears(["2023", 1], ["2024", 1]);
  expect(changed).toBe(true);
  expect(readlinkSync(join(place.artifacts, "current"))).toBe(`checkouts/1-${id}`);
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
});

test("what was not written again, or came out the same, is the same object for both snapshots", async () => {
  const first = await publishYears(["2022", 1], ["2023", 1], ["2024", 1]);
  const inode = async ({ path }: PublishedFile) => (await nodeDisk.stat(join(place.artifacts, path)))?.inode;
  const [, kept] = first.generation.manifest.files as [PublishedFile, PublishedFile];
  const before = await inode(kept);
  const second = await publishYears(["2023", 1], ["2024", 2]);
  expect(second.generation.manifest.generation).toBe(2);
  const paths = [first, second].map(({ generation }) => generation.manifest.files.map(({ path }) => path));
  expect(paths[1]?.slice(0, 2)).toEqual(paths[0]?.slice(0, 2));
  expect(paths[1]?.[2]).not.toBe(paths[0]?.[2]);
  expect(await inode(kept)).toBe(before);
  expect(await nodeDisk.readdir(join(place.artifacts, "grades"))).toHaveLength(4);
  expect(await verifyGeneration(connection, second.generation)).toEqual([]);
});

test("the same data: the id stays, nothing is published", async () => {
  const first = await publishYears(["2023", 1], ["2024", 1]);
  const again = await publishYears(["2024", 1], ["2023", 1]);
  expect(again).toEqual({ id: first.id, generation: first.generation, changed: false });
  expect(await nodeDisk.readdir(join(place.artifacts, "snapshots"))).toHaveLength(1);
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
  });

  test("the same data with fewer or more changes before it is another snapshot", () => {
    const files = [file("sections", "a"), file("changes", "1")];
    const before = follow(undefined, files);
    for (const files of [[], [file("changes", "2")]])
      expect(nextSnapshot(before, [file("sections", "a"), ...files], files).id).not.toBe(before.id);
    expect(nextSnapshot(before, files, files).id).toBe(before.id);
  });
});
