/** "a new contract version migrates the old history": from a fictitious version 0 to this one. */
import { cp, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isMade, type Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION, emptyTable, TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { termOrdinal } from "../../../pipeline/contract/vocabulary.ts";
import { type PublishedSnapshot, readCurrent, readLocalPointer } from "../../../pipeline/store/published.ts";
import { layoutOf, nameOf } from "../../../pipeline/store/layout.ts";
import { verifySnapshot } from "../../../pipeline/store/verify.ts";
import type { Database } from "../../../pipeline/store/database.ts";
import { someOf } from "../../support/extent.ts";
import { once } from "../../support/once.ts";
import { start } from "../../support/program.ts";
import { flipByte, listTree, openReader, readHistory } from "../../support/published/recorded-history.ts";
import { copyFolder, openFolder } from "../../support/whole-run.ts";
import { migrate, publishOlder, stepOf } from "./older-base.ts";

let place: Awaited<ReturnType<typeof openFolder>>;
let reader: Database;
let old: PublishedSnapshot;
/** Published once; each test has a copy with the same hard links. */
const template = once(async () => {
  const folder = await openFolder();
  const database = await openReader(join(folder.data, "spill"));
  const older = await publishOlder(folder.artifacts, database);
  database.close();
  return { folder, older };
});
beforeEach(async () => {
  const { folder, older } = await template();
  place = await copyFolder(folder);
  reader = await openReader(join(place.data, "spill"));
  old = { ...older, folder: place.artifacts };
});
afterEach(async () => {
  reader.close();
  await place.remove();
});

const published = async () => (await readCurrent(place.artifacts)) as PublishedSnapshot;
const tablesOf = ({ manifest }: PublishedSnapshot) => manifest.files.filter((file) => !isMade(file));
const fileOf = ({ folder, manifest }: PublishedSnapshot, table: string): string =>
  join(folder, manifest.files.find((file) => file.table === table)?.path ?? "");

test("data of version 0 is published in the current layout, its history day by day the same, other files as they are", async () => {
  const before = await readHistory(reader, old);
  expect(before.snapshots).toHaveLength(32);
  expect(await migrate(place.artifacts)).toEqual({
    notes: [`contract version 0 → ${CONTRACT_VERSION}: ${tablesOf(old).length} files carried over`],
    problems: [],
  });
  const now = await published();
  expect(now.manifest).toMatchObject({ contract: CONTRACT_VERSION, createdAt: old.manifest.createdAt });
  expect(now.retained.map(({ id }) => id)).toEqual([old.manifest.id]);
  expect(await readHistory(reader, now)).toEqual(before);
  expect(await verifySnapshot(reader.connection, now)).toEqual([]);
  const others = (published: PublishedSnapshot) => tablesOf(published).filter(({ table }) => table !== "terms");
  expect(others(now)).toEqual(others(old));
  const read = await reader.connection.runAndReadAll(`SELECT year, quarter, ordinal FROM '${fileOf(now, "terms")}'`);
  const ordinals = read
    .getRowsJson()
    .map(([year, quarter, ordinal]) => [termOrdinal({ year, quarter } as never), ordinal]);
  expect(ordinals).toEqual([
    [20196, 20196],
    [20201, 20201],
  ]);
  const there = new Set(now.manifest.files.map(({ table }) => emptyTable(table) ?? table));
  expect(TABLE_NAMES.filter((table) => !there.has(table))).toEqual([]);
  expect(await migrate(place.artifacts)).toBeUndefined();
});

test("a file that does not fit without its step is left to be fetched again", async () => {
  expect((await migrate(place.artifacts, { steps: {} }))?.notes).toContain("terms: not carried over, it is due");
});

test.each([
  ["loses a day", "SELECT * REPLACE (if(day(last) = 5, last - 1, last) AS last)", "enrollment_periods"],
  ["leaves a column out", "SELECT * EXCLUDE (status)", "enrollment_periods"],
  ["changes a name", "SELECT * REPLACE (['DOE, J.'] AS instructors)", "enrollment_history"],
])("a step that %s of the history is refused, and nothing changes", async (_what, select, table) => {
  const before = await listTree(place.artifacts);
  const steps = { 0: stepOf({ table, select }) };
  await expect(migrate(place.artifacts, { steps })).rejects.toThrow(new RegExp(`${table}.* (not the same|missing)`));
  expect(await listTree(place.artifacts)).toEqual(before);
});

describe("a base with a damaged file", () => {
  const damages = { "is gone": rm, "is cut off": (path: string) => truncate(path, 300), "has a flipped bit": flipByte };
  test.each(someOf(Object.entries(damages), 1))("of history that %s is restored from a backup", async (_, damage) => {
    const before = await readHistory(reader, old);
    const copy = join(place.data, "copy");
    await cp(place.artifacts, copy, { recursive: true, verbatimSymlinks: true });
    // It leaves a backup of version 0.
    await migrate(place.artifacts);
    await rm(place.artifacts, { recursive: true });
    await cp(copy, place.artifacts, { recursive: true, verbatimSymlinks: true });
    await rm(layoutOf(place.artifacts).checkouts, { recursive: true });
    await damage(fileOf(old, "enrollment_history"));
    expect(await migrate(place.artifacts)).toMatchObject({
      problems: ["enrollment_history 2019 Fall is damaged: restored from the backup"],
    });
    expect(await readHistory(reader, await published())).toEqual(before);
  });

  test("of history without a copy is not migrated without it: nothing changes, and the status is 1", async () => {
    await flipByte(fileOf(old, "enrollment_history"));
    const before = await listTree(place.artifacts);
    const { code, err } = await start("pipeline/main.ts", ["refresh"], place.env).ended;
    expect([code, err]).toEqual([1, expect.stringMatching(/recorded history is damaged.*enrollment_history 2019/)]);
    expect(await listTree(place.artifacts)).toEqual(before);
    const { problems } = (await migrate(place.artifacts, { allowLoss: true })) ?? {};
    expect(problems).toContain("enrollment_history 2019 Fall is damaged and lost");
    expect((await published()).manifest.contract).toBe(CONTRACT_VERSION);
  });

  test("of another table is left to be fetched again, and the history is carried over", async () => {
    const before = await readHistory(reader, old);
    await flipByte(fileOf(old, "grades"));
    const done = await migrate(place.artifacts);
    expect(done).toMatchObject({
      notes: [expect.any(String), "grades 2024: not carried over, it is due"],
      problems: [],
    });
    const pointer = await readLocalPointer(place.artifacts);
    const now = { folder: place.artifacts, manifest: pointer?.snapshot as Manifest };
    expect(await readHistory(reader, now)).toEqual(before);
  });
});

test("make serve after an upgrade migrates and fetches nothing", async () => {
  await rm(place.artifacts, { recursive: true });
  const older = await publishOlder(place.artifacts, reader, { table: "none", select: "" });
  const before = await readHistory(reader, older);
  expect((await start("pipeline/main.ts", ["ensure"], place.env).ended).code).toBe(0);
  const now = await published();
  expect(await readHistory(reader, now)).toEqual(before);
  expect(now.manifest).toMatchObject({ createdAt: older.manifest.createdAt, contract: CONTRACT_VERSION });
  expect(Object.keys(await listTree(place.artifacts))).not.toContain("report.json");
});

const LAYOUTS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a newer version of this program": () =>
    writeFile(layoutOf(place.artifacts).pointer, JSON.stringify({ snapshot: { contract: CONTRACT_VERSION + 1 } })),
  "a version of this program from before its first release": async () => {
    await rm(place.artifacts, { recursive: true });
    await mkdir(join(place.artifacts, "generations", nameOf(old.manifest)), { recursive: true });
  },
};

test.each([
  ["a newer version of this program", /Run the newer version/],
  ["a version of this program from before its first release", /Move \S+ away and build anew; "Upgrade" in pipeline/],
])("data of %s is never touched: status 2, and who wrote it", async (writer, remedy) => {
  await LAYOUTS[writer]?.();
  await mkdir(place.data, { recursive: true });
  const before = [await listTree(place.artifacts), await listTree(place.data)];
  for (const command of someOf(["refresh", "build", "ensure", "restore 2026-11-20"], 2)) {
    const { code, err } = await start("pipeline/main.ts", command.split(" "), place.env).ended;
    expect([command, code, err]).toEqual([command, 2, expect.stringMatching(remedy)]);
    expect(err).toContain(` in ${place.artifacts} was written by ${writer}`);
  }
  expect([await listTree(place.artifacts), await listTree(place.data)]).toEqual(before);
});
