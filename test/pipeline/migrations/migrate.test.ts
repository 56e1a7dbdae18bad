/** "a new contract version migrates the old history": from the base that each version published at its time to the current one, by real runs. */
import { cp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import type { RunReport } from "../../../pipeline/contract/documents/run-report.ts";
import { CONTRACT_VERSION, emptyTable, TABLE_NAMES } from "../../../pipeline/contract/tables.ts";
import { filesOfView, VIEWS } from "../../../pipeline/contract/views.ts";
import { type Term, termOrdinal } from "../../../pipeline/contract/vocabulary.ts";
import type { Database } from "../../../pipeline/publish/database.ts";
import { type Generation, readCurrent } from "../../../pipeline/generations/generation.ts";
import { atItsPath } from "../../../pipeline/generations/layout.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { someOf } from "../../support/extent.ts";
import { openSmallCampus } from "../../support/upstream/small-campus.ts";
import { start } from "../../support/program.ts";
import { openFolder, run } from "../../support/whole-run.ts";
import { reasonId } from "../../../pipeline/products/guard/refusals.ts";
import { flipByte, listTree, type OldBase, openReader, placeOldBase, readHistory, VERSIONS } from "./old-base.ts";

/** Later than every recorded day. */
const NOW = new Date("2026-11-20T18:00:00Z");

let place: Awaited<ReturnType<typeof openFolder>>;
let reader: Database;
beforeEach(async () => {
  place = await openFolder();
  reader = await openReader(join(place.data, "spill"));
});
afterEach(async () => {
  reader.close();
  await place.remove();
});

/** The bases are cut out of larger ones: of the courses and people in them most sections are elsewhere. */
const CUT = [
  { table: "courses", column: "instructorHistory" },
  { table: "courses", column: "terms" },
  { table: "instructors", column: "courseHistory" },
] as const;
const acceptedIds = new Set(
  CUT.map(({ table, column }) => reasonId({ part: { table, partition: {} }, column, text: "" })),
);

/** A run without an upstream: what is published stays. */
const withoutUpstream = { addresses: {}, sample: undefined, acceptedIds };
const refresh = (change = {}) => run(place.env, "refresh", () => NOW, { ...withoutUpstream, ...change });

async function published() {
  const generation = await readCurrent(place.artifacts);
  if (!generation) throw new Error("nothing is published");
  return generation;
}

const historyNow = async () => readHistory(reader, (await published()).folder, CONTRACT_VERSION);
const byPath = (a: PublishedFile, b: PublishedFile) => (a.path < b.path ? -1 : 1);
const fileOf = (files: readonly PublishedFile[], table: string, year: string) =>
  files.find((file) => file.table === table && file.partition.year === year) as PublishedFile;

const TERMS = ["2025 Fall", "2026 Spring", "2026 Fall"];
const campus = await openSmallCampus(TERMS, () => NOW);
afterAll(() => campus.close());
const { SCHEDULE_URL = "", RECORDS_URL = "" } = campus.urls();

test("there is a base of every contract version", () => {
  expect(VERSIONS).toEqual(Array.from({ length: CONTRACT_VERSION }, (_, i) => i + 1));
});

/** A base of each version, migrated by a run. */
const migrated = new Map<number, { old: OldBase; report: RunReport; now: Generation }>();
let bases: typeof place;
beforeAll(async () => {
  bases = await openFolder();
  for (const version of VERSIONS) {
    const env = {
      DATA_DIR: join(bases.data, String(version)),
      ARTIFACTS_DIR: join(bases.artifacts, String(version)),
    };
    const old = await placeOldBase(env.ARTIFACTS_DIR, version);
    const report = await run(env, "refresh", () => NOW, withoutUpstream);
    migrated.set(version, { old, report, now: (await readCurrent(env.ARTIFACTS_DIR)) as Generation });
  }
});
afterAll(() => bases?.remove());
const ofVersion = (version: number) => migrated.get(version) as NonNullable<ReturnType<typeof migrated.get>>;

describe("the bases of every version", () => {
  test.each(VERSIONS)(
    "version %i is published in the current layout, snapshot by snapshot the same, with nothing else lost",
    async (version) => {
      const { old, report, now } = ofVersion(version);
      const before = await readHistory(reader, old.folder, version);
      expect(before.snapshots).toHaveLength(241);
      expect(before.snapshots.filter((text) => text.includes('"imported":true'))).not.toEqual([]);
      expect(report).toMatchObject({
        failed: false,
        ...(version === CONTRACT_VERSION ? {} : { history: { problems: [] } }),
      });
      expect(now.manifest.contract).toBe(CONTRACT_VERSION);
      expect(await readHistory(reader, now.folder, CONTRACT_VERSION)).toEqual(before);
      expect(await verifyGeneration(reader.connection, now)).toEqual([]);
      for (const { table, partition, rows } of old.manifest.files)
        expect(now.manifest.files).toContainEqual(expect.objectContaining({ table, partition, rows }));
    },
  );

  test("two migrations in a row come out as one: the same data has the same snapshot id from every version", () => {
    const ids = [...migrated.values()].map(({ now }) => now.manifest.id);
    expect(ids).toHaveLength(VERSIONS.length);
    expect(new Set(ids).size).toBe(1);
  });

  test("files whose columns stay are shared with the old generation under their new path, the others are not", async () => {
    const { old, now } = ofVersion(1);
    const { folder, manifest } = now;
    const inode = async (path: string) => (await stat(path)).ino;
    for (const table of ["sections", "headings", "larc", "calendar", "enrollment_imports"]) {
      for (const file of old.manifest.files.filter((file) => file.table === table))
        expect(await inode(join(folder, atItsPath(file).path))).toBe(await inode(join(old.folder, file.path)));
    }
    const kept = new Set(manifest.files.map(({ path }) => path));
    // Courses and people are told anew by the run.
    const anew = old.manifest.files
      .map(atItsPath)
      .filter(({ path, table }) => !kept.has(path) && !["courses", "instructors"].includes(table))
      .map(({ table }) => table);
    expect(anew.toSorted()).toEqual([...Array<string>(3).fill("enrollment_history"), "grades", "grades", "terms"]);
  });

  test("from contract 5 on no byte is written but for the ordinal of terms and the averages: every file has its hash, and no generation mixes both layouts", () => {
    const { old, now } = ofVersion(5);
    const written = ["courses", "grades", "instructors", "section_instructors", "terms"];
    const carried = ({ files }: OldBase["manifest"]) => files.filter(({ table }) => !written.includes(table));
    expect(carried(now.manifest)).toEqual(carried(old.manifest).map(atItsPath).toSorted(byPath));
    expect(old.manifest.files.some(({ path }) => path.includes("="))).toBe(true);
    expect(
      readdirSync(now.folder, { recursive: true })
        .map(String)
        .filter((path) => path.includes("=")),
    ).toEqual([]);
  });

  test("terms get their ordinal; views and tables without rows have files", async () => {
    for (const version of VERSIONS.slice(0, -1)) {
      const { now } = ofVersion(version);
      const { folder, manifest } = now;
      const rows = await reader.connection.runAndReadAll(
        `SELECT year, quarter, ordinal FROM read_parquet('${folder}/terms/*.parquet')`,
      );
      const terms = rows.getRowObjectsJson() as unknown as (Term & { ordinal: number })[];
      expect(terms.map(({ ordinal }) => ordinal)).toEqual(terms.map(termOrdinal));
      expect(terms.length).toBeGreaterThan(10);
      const there = new Set(manifest.files.map(({ table }) => emptyTable(table) ?? table));
      expect([...TABLE_NAMES, ...VIEWS.map(filesOfView)].filter((table) => !there.has(table))).toEqual([]);
    }
  });

  test("a blank average, once 0, is null; every other one is as it was", async () => {
    const { old, now } = ofVersion(2);
    const averages = async (from: string, column: string) => {
      const letters = "gradeACount + gradeBCount + gradeCCount + gradeDCount + gradeFCount";
      const rows = await reader.connection.runAndReadAll(
        `SELECT year, quarter, sectionCode, ${column.replace("LETTERS", letters)} FROM read_parquet('${from}/grades/**/*.parquet', hive_partitioning = false) ORDER BY ALL`,
      );
      return rows.getRowsJson();
    };
    const expected = await averages(old.folder, "if(LETTERS = 0, NULL, averageGPA::DOUBLE)");
    expect(await averages(now.folder, "averageGPA")).toEqual(expected);
    expect(expected.filter((row) => row[3] === null)).toHaveLength(4);
  });
});

test("a migrated history is recorded on: the next refresh puts its day behind the old ones", async () => {
  const old = await placeOldBase(place.artifacts, 1, SCHEDULE_URL);
  const before = await readHistory(reader, old.folder, 1);
  const env = { ...place.env, SCHEDULE_URL, TERMS: "2026 Fall" };
  const report = await run(env, "refresh", () => NOW, { allowShrink: true });
  expect(report.failed).toBe(false);
  const { snapshots } = await historyNow();
  expect(snapshots).toEqual(expect.arrayContaining(before.snapshots));
  const added = snapshots.filter((text) => !before.snapshots.includes(text));
  expect(added.length).toBeGreaterThan(29);
  expect(added.every((text) => text.includes('"day":"2026-11-20"'))).toBe(true);
});

describe("a manifest that only says that it is older", () => {
  test("loses nothing: files that have the current layout already are carried over as they are", async () => {
    const { folder, manifest } = await placeOldBase(place.artifacts, CONTRACT_VERSION);
    await writeFile(join(folder, "manifest.json"), JSON.stringify({ ...manifest, contract: 1 }));
    const before = await readHistory(reader, folder, CONTRACT_VERSION);
    expect((await refresh()).failed).toBe(false);
    expect(await historyNow()).toEqual(before);
    const rowsOf = (files: readonly PublishedFile[]) => files.map(({ path, rows }) => `${path} ${rows}`).toSorted();
    const unchanged = (files: readonly PublishedFile[]) =>
      files.filter(({ table }) => !/courses|instructors/.test(table));
    expect(rowsOf(unchanged((await published()).manifest.files))).toEqual(rowsOf(unchanged(manifest.files)));
  });
});

describe("a base of version 1 with a damaged history file", () => {
  const damages = {
    "is gone": (path: string) => rm(path),
    "is cut off": (path: string) => truncate(path, 900),
    "has a flipped bit": (path: string) => flipByte(path),
  };
  test.each(someOf(Object.entries(damages), 1))(
    "that %s is restored from a backup, and that is reported",
    async (_name, damage) => {
      const old = await placeOldBase(place.artifacts, 1);
      const before = await readHistory(reader, old.folder, 1);
      // A migration left a backup of the old layout.
      await cp(join(bases.data, "1"), place.data, { recursive: true });
      const { path } = fileOf(old.manifest.files, "enrollment_history", "2026");
      await damage(join(old.folder, path));
      const report = await refresh();
      expect(await historyNow()).toEqual(before);
      expect(report.history?.problems).toEqual([
        expect.stringMatching(
          /^enrollment_history 2026 (Fall|Spring) is damaged: restored from the backup of 2026-11-20$/,
        ),
      ]);
      expect(report.failed).toBe(true);
    },
  );

  test("of which there is no copy is not migrated without it: nothing changes, and the exit status is 1", async () => {
    const old = await placeOldBase(place.artifacts, 1);
    await flipByte(join(old.folder, fileOf(old.manifest.files, "enrollment_history", "2026").path));
    const before = await listTree(place.artifacts);
    const { code, err } = await start("pipeline/main.ts", ["refresh"], place.env).ended;
    expect([code, err]).toEqual([1, expect.stringMatching(/recorded history is damaged.*enrollment_history 2026/)]);
    expect(await listTree(place.artifacts)).toEqual(before);
    const report = await refresh({ allowShrink: true });
    expect(report.history?.problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/^enrollment_history 2026 \w+ is damaged and lost$/)]),
    );
    expect((await historyNow()).sections.length).toBeGreaterThan(0);
  });

  test("of other tables is left to be fetched again, and the history is carried over", async () => {
    const old = await placeOldBase(place.artifacts, 1, SCHEDULE_URL);
    const before = await readHistory(reader, old.folder, 1);
    await rm(join(old.folder, fileOf(old.manifest.files, "sections", "2026").path));
    await flipByte(join(old.folder, fileOf(old.manifest.files, "grades", "2025").path));
    const env = { ...place.env, SCHEDULE_URL, RECORDS_URL };
    const report = await run(env, "build", () => NOW, { allowShrink: true });
    expect(report.history?.notes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^sections 2026 \w+: not carried over, it is due$/),
        "grades 2025: not carried over, it is due",
      ]),
    );
    expect(report.failed).toBe(false);
    expect((await historyNow()).snapshots).toEqual(expect.arrayContaining(before.snapshots));
    const { files } = (await published()).manifest;
    expect(files.filter(({ table }) => table === "sections")).toHaveLength(TERMS.length);
    expect(fileOf(files, "grades", "2025").rows).toBeGreaterThan(0);
  });
});

describe("data of a newer contract", () => {
  test("is never touched: a run ends with status 2 and says which version wrote it", async () => {
    const { folder } = await placeOldBase(place.artifacts, CONTRACT_VERSION);
    const manifest = { contract: CONTRACT_VERSION + 1, id: "unknown", tables: [] };
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    const before = await listTree(place.artifacts);
    for (const command of someOf(["refresh", "build", "ensure"], 2)) {
      const { code, err } = await start("pipeline/main.ts", [command], place.env).ended;
      expect([command, code, err]).toEqual([
        command,
        2,
        expect.stringMatching(
          new RegExp(
            `newer version of this program \\(contract version ${CONTRACT_VERSION + 1}, this one knows ${CONTRACT_VERSION}\\): nothing was changed`,
          ),
        ),
      ]);
    }
    expect(await listTree(place.artifacts)).toEqual(before);
  });
});

test("make serve after an upgrade migrates and fetches nothing", async () => {
  const old = await placeOldBase(place.artifacts, 1);
  const before = await readHistory(reader, old.folder, 1);
  const { code } = await start("pipeline/main.ts", ["ensure"], place.env).ended;
  expect(code).toBe(0);
  expect(await historyNow()).toEqual(before);
  expect((await published()).manifest).toMatchObject({ createdAt: old.manifest.createdAt, contract: CONTRACT_VERSION });
  await expect(readFile(join(place.artifacts, "report.json"))).rejects.toThrow(/ENOENT/);
});
