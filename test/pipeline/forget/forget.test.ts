/** `make forget`: nothing is left of whom it names, and everything else is as it was. */
import { readForgotten } from "../../../pipeline/forget/tombstones.ts";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { UsageError } from "../../../pipeline/errors.ts";
import { finishTakeDown, keeperOf } from "../../../pipeline/forget/forget.ts";
import { findRemains } from "../../../pipeline/forget/remains.ts";
import { copySnapshot } from "../../../pipeline/store/copy-to-artifacts.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { readCurrent } from "../../../pipeline/store/published.ts";
import { readPublishedVersions } from "../../../pipeline/store/versions.ts";
import { RETENTION } from "../../../pipeline/contract/retention.ts";
import { grades } from "../../../pipeline/contract/rows/grade.ts";
import { silentLog } from "../../../pipeline/log.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { loadRows } from "../../../pipeline/publish/rows.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { readListing } from "../../../pipeline/lake/listing.ts";
import { POINTER, readPointer, type StoredPointer } from "../../../pipeline/store/pointer.ts";
import { openFolderStore } from "../../../pipeline/store/folder.ts";
import { openStore } from "../../../pipeline/store/open-store.ts";
import type { Store } from "../../../pipeline/store/store.ts";
import { readPipelineConfig } from "../../../pipeline/settings/pipeline.ts";
import { exportSnapshot } from "../../../pipeline/lake/complete.ts";
import { placesWith } from "../../support/decoded-bytes.ts";
import { openS3Store } from "../../support/s3/store.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "../publish/scratch.ts";
import { forgetIn, GONE, openWorld, NOW, type Place, placesNaming, problemsOf, WITHDRAWN } from "./forget-world.ts";

const { connection } = await scratchDatabase();
const world = await openWorld(scratchFolder());

const left = (place: Place) => placesNaming(connection, place);
const problemsIn = (place: Place) => problemsOf(connection, place);

/** The rows of a table in every snapshot, oldest first. */
async function rowsOf({ artifacts }: Place, table: string): Promise<object[][]> {
  const all = (await readPublishedVersions(artifacts)).toSorted(
    (a, b) => a.manifest.generation - b.manifest.generation,
  );
  return Promise.all(
    all.map(async ({ folder, manifest }) => {
      const paths = manifest.files.filter((file) => file.table === table).map(({ path }) => `'${join(folder, path)}'`);
      if (paths.length === 0) return [];
      const read = await connection.runAndReadAll(
        `SELECT to_json(r)::VARCHAR FROM read_parquet([${paths.join()}], hive_partitioning = false) r ORDER BY ALL`,
      );
      return (read.getColumnsJS()[0] as string[]).map((text) => JSON.parse(text) as object);
    }),
  );
}

/** Path and hash of every file that is not about the run itself. */
function filesOf(roots: readonly string[]): string[] {
  return roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/(lock|\.lock|\.drafts|staging)\//.test(path))
      .map((path) => `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`),
  );
}

it("a person is in no byte of snapshots, lake, backups, exports, landings and reports afterwards", async () => {
  const place = await world.copyWithout();
  expect(await left(place)).toEqual([]);
  expect(await problemsIn(place)).toEqual([]);
  const forgotten = await readForgotten(place.data);
  const look = ({ artifacts, data: dataDir }: Place) =>
    forgotten && findRemains({ artifacts, dataDir, connection, disk: nodeDisk }, forgotten);
  expect(await look(place)).toEqual([]);
  expect((await look(world.copy()))?.map((one) => one.place)).toEqual(
    expect.arrayContaining(["snapshots", "backups", "data/grades/mine.csv"]),
  );
  expect(await forgetIn(place, { netid: "wquillfe" })).toBe("gone");
});

it("everything else stays: the rows of others, the sums, the files that did not name the person", async () => {
  const [place, without] = [world.copy(), await world.copyWithout()];
  const tables = ["sections", "grades", "instructors", "section_instructors", "courses", "larc", "enrollment_history"];
  const before = await Promise.all(tables.map((table) => rowsOf(place, table)));
  const after = await Promise.all(tables.map((table) => rowsOf(without, table)));
  const isTheirs = (row: object) =>
    ("netid" in row && row.netid === "wquillfe") || ("name" in row && row.name === "QUILLFEATHER, W.");
  const withoutPerson = (row: object): unknown =>
    JSON.parse(
      JSON.stringify(row)
        .replaceAll('["QUILLFEATHER, W."]', '["STAFF"]')
        .replaceAll('"QUILLFEATHER, W.",', "")
        .replaceAll("wquillfeather@example.edu", "")
        .replaceAll("~wquillfe/", "~/")
        .replaceAll('"instructor":"Wren Quillfeather"', '"instructor":""')
        .replaceAll("Wren Quillfeather", "STAFF")
        .replaceAll(',"wquillfe"]', "]"),
    );
  const othersIn = (snapshots: object[][]): unknown[][] =>
    snapshots.map((rows) => rows.filter((row) => !isTheirs(row)).map(withoutPerson));
  const expected = before.map(othersIn);
  // Grades name nobody where nobody is known.
  expected[1] = JSON.parse(JSON.stringify(expected[1]).replaceAll('["STAFF"]', "[]")) as unknown[][];
  expect(after).toEqual(expected);
  const kinds = (await rowsOf(without, "changes")).map((rows) => rows.map((row) => (row as { kind: string }).kind));
  // The first two differed in the name alone.
  expect(kinds).toEqual(kinds.map(() => ["instructors", "added", "status"]));
  const filesIn = ({ artifacts, data }: Place) =>
    filesOf([artifacts, data]).map((file) => file.slice(join(artifacts, "..").length));
  const untouched = filesIn(place)
    .filter((file) => !file.includes("/checkouts/"))
    .filter((file) => /periods|terms|headings|2023-Fall|2023-[0-9a-f]/.test(file));
  const now = filesIn(without);
  expect(untouched.length).toBeGreaterThan(5);
  expect(untouched.filter((file) => !now.includes(file))).toEqual([]);
});

it("a withdrawn export goes with its rows, its kept copy and the operator's file of that name", async () => {
  const place = world.copy();
  expect(await forgetIn(place, { file: WITHDRAWN })).toHaveLength(1);
  expect(await placesWith(connection, [place.artifacts, place.data, place.lake], [WITHDRAWN])).toEqual([]);
  expect((await rowsOf(place, "grades")).map((rows) => rows.length)).toEqual([2, 2, 2]);
  expect(await problemsIn(place)).toEqual([]);
  expect(existsSync(join(place.data, "grades/mine.csv"))).toBe(true);
});

it("who is not there is refused with who is alike; a dry run and a no change nothing", async () => {
  const place = world.copy();
  const before = filesOf([place.artifacts, place.data, place.lake]);
  await expect(forgetIn(place, { netid: "wquilfe" })).rejects.toThrow(
    new UsageError('nothing that is published has NETID="wquilfe"; did you mean wquillfe?'),
  );
  await expect(forgetIn(place, { name: "STAFF" })).rejects.toThrow(UsageError);
  await expect(forgetIn(place, { file: "nothing.csv" })).rejects.toThrow(UsageError);
  await expect(forgetIn(place, {})).rejects.toThrow(/say whom/);
  expect(await forgetIn(place, { netid: "wquillfe" }, { agrees: false })).toBe("refused");
  expect(filesOf([place.artifacts, place.data, place.lake])).toEqual(before);
});

it("the list of tombstones has no name, and keeps away whoever comes again", async () => {
  const place = await world.copyWithout();
  const forgotten = await readForgotten(place.data);
  if (!forgotten) throw new Error("there is no list");
  const staging = createStaging(place.artifacts, await readBase(place.artifacts), nodeDisk, keeperOf(forgotten));
  const rows = [gradeRow({ year: "2024", instructors: ["QUILLFEATHER, W.", "AMBERLEY, R."] })];
  const select = `SELECT * FROM ${await loadRows(connection, grades, rows)}`;
  staging.put(await writePartition(connection, staging, { table: grades, partition: { year: "2024" }, select }));
  await staging.publish({ source: { schedule: "a test" }, now: NOW });
  await staging.discard();
  expect((await rowsOf(place, "grades")).at(-1)).toMatchObject([{}, { instructors: ["AMBERLEY, R."] }]);
  expect(await left(place)).toEqual([]);
});

it("a replica drops the earlier snapshots that it has, also when it was killed before", async () => {
  const place = world.copy();
  const replica = join(place.lake, "../replica");
  const store = openFolderStore(place.lake);
  const follow = async () => {
    const signal = new AbortController().signal;
    return copySnapshot((await readPointer(store)) as StoredPointer, {
      artifacts: replica,
      from: store,
      signal,
      now: () => NOW,
      log: silentLog,
      retain: RETENTION,
      isReplica: true,
    });
  };
  await follow();
  await world.publish(place, 3);
  await follow();
  expect(await readPublishedVersions(replica)).toHaveLength(2);
  await forgetIn(place, { netid: "wquillfe" });
  await follow();
  expect(await placesWith(connection, [replica], GONE)).toEqual([]);
  expect((await readCurrent(replica))?.manifest.id).toBe((await readCurrent(place.artifacts))?.manifest.id);
});

it("in a bucket every object is without the person, and the log of every table leads to files that are there", async () => {
  const s3 = await openS3Store();
  try {
    const place = world.copy();
    const { aws } = readPipelineConfig({ ...s3.env });
    const store: Store = openStore(new URL(`s3://${s3.bucket}/lake`), { aws });
    await exportSnapshot(place.artifacts, store, { now: NOW });
    expect(await forgetIn(place, { netid: "wquillfe" }, { store })).toHaveLength(1);
    const texts = [...s3.objects()].map(([key, { body }]) => `${key} ${body.toString("latin1")}`);
    expect(texts.filter((text) => /quillfe/i.test(text)).map((text) => text.slice(0, 80))).toEqual([]);
    const { retained, snapshot } = (await readPointer(store)) as StoredPointer;
    expect([snapshot.forgotten, retained.length]).toEqual([(await readForgotten(place.data))?.mark, 0]);
    for (const { path } of snapshot.files) expect(s3.objects().has(`lake/${path}`)).toBe(true);
  } finally {
    await s3.close();
  }
});

it("files of an earlier snapshot that are missing or damaged do not end it", async () => {
  const place = world.copy();
  const [current, ...earlier] = await readPublishedVersions(place.artifacts);
  const served = new Set(current?.manifest.files.map(({ path }) => path));
  const lost = earlier.flatMap(({ manifest }) => manifest.files).filter(({ path }) => !served.has(path));
  rmSync(join(place.artifacts, "checkouts"), { recursive: true });
  for (const [i, { path }] of lost.entries())
    if (i % 2 === 0) rmSync(join(place.artifacts, path), { force: true });
    else writeFileSync(join(place.artifacts, path), "QUILLFEATHER is all that is left");
  const shown: string[] = [];
  await forgetIn(place, { name: "Wren Quillfeather" }, { onLines: (lines) => shown.push(...lines) });
  expect(shown.join("\n")).toMatch(/^ {2}not read, because they are missing or damaged: .*sections 2024 Fall/m);
  expect(await placesWith(connection, [place.artifacts], GONE)).toEqual([]);
});

it("a kill after the store's list was written, before its pointer: the next run keeps every earlier version", async () => {
  const place = world.copy();
  const store = openFolderStore(place.lake);
  const listed = async () => (await readListing(store)).snapshots.length;
  const before = await listed();
  expect(before).toBeGreaterThan(1);
  const killed: Store = {
    ...store,
    replace: (key, ...rest) => (key === POINTER ? Promise.reject(new Error("killed")) : store.replace(key, ...rest)),
  };
  await expect(forgetIn(place, { netid: "wquillfe" }, { store: killed })).rejects.toThrow("killed");
  await forgetIn(place, {});
  expect(await listed()).toBe(before);
  expect(await problemsOf(connection, place)).toEqual([]);
  expect(await placesNaming(connection, place)).toEqual([]);
});

it("a file that is lost here is without the person in a store that has it", async () => {
  const [listed, place] = [await world.copyWithout(), world.copy()];
  copyFileSync(join(listed.data, "forgotten.json"), join(place.data, "forgotten.json"));
  const { artifacts: artifactsDir, data: dataDir, lake } = place;
  const [current, ...earlier] = await readPublishedVersions(artifactsDir);
  const served = new Set(current?.manifest.files.map(({ path }) => path));
  const lost = earlier.flatMap(({ manifest }) => manifest.files).filter(({ path }) => !served.has(path));
  expect(lost.length).toBeGreaterThan(0);
  rmSync(join(artifactsDir, "checkouts"), { recursive: true });
  for (const { path } of lost) rmSync(join(artifactsDir, path), { force: true });
  expect(await placesWith(connection, [lake], GONE)).not.toEqual([]);
  await finishTakeDown({
    config: { artifactsDir, dataDir },
    now: NOW,
    log: silentLog,
    assertHeld: () => Promise.resolve(),
    store: openFolderStore(lake),
  });
  expect(await placesWith(connection, [lake], GONE)).toEqual([]);
});
