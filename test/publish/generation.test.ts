import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { manifest as manifestSchema, type PublishedFile } from "../../pipeline/contract/manifest.ts";
import { grades } from "../../pipeline/contract/grade.ts";
import { CONTRACT_VERSION } from "../../pipeline/contract/tables.ts";
import { GuardError, LockedError } from "../../pipeline/errors.ts";
import { type Disk, nodeDisk } from "../../pipeline/publish/disk.ts";
import {
  DamagedGeneration,
  OtherContract,
  readBase,
  readCurrent,
  snapshotId,
} from "../../pipeline/publish/generation.ts";
import { writePartition } from "../../pipeline/publish/partition.ts";
import { loadRows } from "../../pipeline/publish/rows.ts";
import { createStaging, type Staging } from "../../pipeline/publish/staging.ts";
import { verifyGeneration } from "../../pipeline/publish/verify.ts";
import { faultyDisk } from "./faulty-disk.ts";
import { openPublisher } from "./publisher.ts";
import { gradeRow, scratchDatabase, scratchFolder } from "./scratch.ts";

const { connection } = await scratchDatabase();
const scratch = scratchFolder();
const now = new Date("2024-10-01T12:00:00Z");
const options = { source: { grades: "test" }, now };
let artifacts = "";
let count = 0;
beforeEach(() => {
  artifacts = join(scratch, String(count++));
  mkdirSync(artifacts);
});

const start = async (disk: Disk = nodeDisk): Promise<Staging> =>
  createStaging(artifacts, await readBase(artifacts, disk), disk);
/** Writes grades of a year whose row says `mark`. */
const year = async (staging: Staging, year: string, mark: number): Promise<PublishedFile> => {
  await loadRows(connection, grades, [gradeRow({ year, gradeACount: mark })]);
  return writePartition(connection, staging, { table: grades, partition: { year }, select: "FROM rows_grades" });
};
const publishYears = async (...marks: [string, number][]) => {
  const staging = await start();
  for (const [of, mark] of marks) staging.put(await year(staging, of, mark));
  const published = await staging.publish(options);
  await staging.discard();
  return published;
};
const inodeOf = async (folder: string, file: PublishedFile | undefined) =>
  (await nodeDisk.stat(join(folder, file?.path ?? "")))?.inode;

const rewrite = (folder: string, change: object) =>
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ contract: CONTRACT_VERSION, ...change }));

describe("publishing", () => {
  test("nothing was published yet", async () => {
    expect(await readCurrent(artifacts)).toBeUndefined();
    expect(await readBase(artifacts)).toEqual({ generation: undefined, damage: undefined });
    await expect((await start()).publish(options)).rejects.toThrow(GuardError);
  });

  test("the first generation: its folder, its manifest, the link", async () => {
    const { id, changed, generation } = await publishYears(["2023", 1], ["2024", 1]);
    expect(changed).toBe(true);
    expect(readlinkSync(join(artifacts, "current"))).toBe(`generations/1-${id}`);
    const written: unknown = JSON.parse(await readFile(join(artifacts, "current/manifest.json"), "utf8"));
    expect(manifestSchema.parse(written)).toEqual(generation.manifest);
    expect(generation.manifest).toMatchObject({
      contract: CONTRACT_VERSION,
      id,
      generation: 1,
      createdAt: now.toISOString(),
      source: { grades: "test" },
    });
    expect(await readCurrent(artifacts)).toEqual(generation);
    expect(await verifyGeneration(connection, generation)).toEqual([]);
    expect(await nodeDisk.readdir(join(artifacts, "staging"))).toEqual([]);
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
    expect(await nodeDisk.readdir(join(artifacts, "generations"))).toHaveLength(1);
  });

  test("the id depends on the data alone: built elsewhere, later, in another order, it is the same", async () => {
    const first = await publishYears(["2023", 1], ["2024", 1]);
    artifacts = join(scratch, String(count++));
    mkdirSync(artifacts);
    await publishYears(["2020", 9]);
    const staging = await start();
    staging.replaceTable("grades", [await year(staging, "2024", 1), await year(staging, "2023", 1)]);
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
    ].map((partition) => snapshotId([{ ...file, partition }]));
    expect(new Set(ids).size).toBe(6);
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
  });

  test("a run sees the tables as they would be published; partitions can go", async () => {
    await publishYears(["2022", 1], ["2023", 1], ["2024", 1]);
    const staging = await start();
    const fresh = await year(staging, "2024", 5);
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
    staging.put(await year(staging, "2024", 1));
    const { generation } = await staging.publish(options);
    expect(await verifyGeneration(connection, generation)).toEqual([]);
  });

  test("a number is never given twice, though the flip was missed", async () => {
    await publishYears(["2024", 1]);
    const { disk } = faultyDisk();
    const missed = await start({ ...disk, symlink: () => Promise.reject(new Error("killed")) });
    missed.put(await year(missed, "2024", 2));
    await expect(missed.publish(options)).rejects.toThrow("killed");
    expect((await readCurrent(artifacts))?.manifest.generation).toBe(1);
    expect((await publishYears(["2024", 3])).generation.manifest.generation).toBe(3);
  });

  test("a run that lost its lock publishes nothing, even when it loses it right before the flip", async () => {
    const { id } = await publishYears(["2024", 1]);
    for (const allowed of [0, 1]) {
      let asked = 0;
      const assertHeld = () => (asked++ < allowed ? Promise.resolve() : Promise.reject(new LockedError("taken over")));
      const staging = await start();
      staging.put(await year(staging, "2024", 2));
      await expect(staging.publish({ ...options, assertHeld })).rejects.toThrow(LockedError);
      expect((await readCurrent(artifacts))?.manifest.id).toBe(id);
    }
  });

  test("a run does not overwrite what another one published meanwhile", async () => {
    await publishYears(["2024", 1]);
    const slow = await start();
    slow.put(await year(slow, "2024", 2));
    let other = "";
    const assertHeld = async () => {
      if (other === "") other = (await publishYears(["2024", 3])).id;
    };
    await expect(slow.publish({ ...options, assertHeld })).rejects.toThrow(/another run published/);
    expect((await readCurrent(artifacts))?.manifest.id).toBe(other);
  });
});

describe("damage", () => {
  test.each<
    [what: string, harm: (folder: string) => void, kind: typeof DamagedGeneration | typeof OtherContract, words: RegExp]
  >([
    [
      "a link that leads nowhere (its number stays taken)",
      (folder) => rmSync(folder, { recursive: true }),
      DamagedGeneration,
      /manifest.json is missing/,
    ],
    [
      "a manifest that is no JSON",
      (folder) => writeFileSync(join(folder, "manifest.json"), '{"contract":'),
      DamagedGeneration,
      /no JSON/,
    ],
    ["a manifest without files", (folder) => rewrite(folder, { id: "x" }), DamagedGeneration, /manifest.json: id/],
    [
      "a manifest of another generation",
      (folder) =>
        rewrite(folder, { id: "0".repeat(16), generation: 3, createdAt: now.toISOString(), source: {}, files: [] }),
      DamagedGeneration,
      /manifest is that of 3-0000/,
    ],
    [
      "another contract version, told apart",
      (folder) => rewrite(folder, { contract: CONTRACT_VERSION + 1 }),
      OtherContract,
      /of contract version/,
    ],
    [
      "a file that is gone",
      (folder) => rmSync(join(folder, "grades/year=2024"), { recursive: true }),
      DamagedGeneration,
      /is missing/,
    ],
  ])("%s: a run starts from the last sound generation and mends", async (_what, harm, kind, words) => {
    await publishYears(["2023", 1], ["2024", 1]);
    const sound = await publishYears(["2024", 2]);
    const { generation } = await publishYears(["2024", 3]);
    harm(generation.folder);
    await expect(readCurrent(artifacts)).rejects.toThrow(kind);
    await expect(readCurrent(artifacts)).rejects.toThrow(words);
    const base = await readBase(artifacts);
    expect(base.damage).toBeInstanceOf(kind);
    expect(base.generation?.manifest.id).toBe(sound.id);
    // Also when the data is that of the sound one: it has to be put in service.
    const mended = await publishYears(["2024", 2]);
    expect(mended).toMatchObject({ changed: true, id: sound.id });
    expect(mended.generation.manifest.generation).toBe(4);
    expect(await verifyGeneration(connection, mended.generation)).toEqual([]);
  });

  test("a file that was cut short", async () => {
    const { generation } = await publishYears(["2024", 1]);
    truncateSync(join(generation.folder, generation.manifest.files[0]?.path ?? ""), 100);
    await expect(readCurrent(artifacts)).rejects.toThrow(/has 100 of \d+ bytes/);
  });

  test("a link to somewhere else, or no link at all, is not followed and not replaced by force", async () => {
    const { generation } = await publishYears(["2024", 1]);
    const current = join(artifacts, "current");
    rmSync(current);
    symlinkSync("/etc", current);
    await expect(readCurrent(artifacts)).rejects.toThrow(/leads to \/etc, no generation/);
    rmSync(current);
    mkdirSync(current);
    await expect(readCurrent(artifacts)).rejects.toThrow(/no symbolic link/);
    await expect(publishYears(["2024", 2])).rejects.toThrow(/move it away/);
    rmSync(current, { recursive: true });
    expect((await readBase(artifacts)).generation).toEqual(generation);
  });

  test("nothing sound left: a run starts anew", async () => {
    const { generation } = await publishYears(["2024", 1]);
    renameSync(join(generation.folder, "manifest.json"), join(generation.folder, "manifest.old"));
    expect((await readBase(artifacts)).generation).toBeUndefined();
    expect(await publishYears(["2024", 1])).toMatchObject({ changed: true });
    expect((await readCurrent(artifacts))?.manifest.generation).toBe(2);
  });
});

test("verifyGeneration names every kind of difference", async () => {
  const { generation } = await publishYears(["2021", 1], ["2022", 1], ["2023", 1], ["2024", 1]);
  const [first, second, third, fourth] = generation.manifest.files;
  const at = (file: PublishedFile | undefined) => join(generation.folder, file?.path ?? "");
  rmSync(at(first));
  truncateSync(at(second), 100);
  const bytes = await readFile(at(third));
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(at(third), bytes);
  writeFileSync(join(generation.folder, "grades", "stray"), "");
  const files = [first, second, third, { ...fourth, rows: 2 }, { ...fourth, table: "gowns" }] as PublishedFile[];
  const problems = await verifyGeneration(connection, { ...generation, manifest: { ...generation.manifest, files } });
  expect(problems.map(({ problem }) => problem)).toEqual([
    "the id is not that of its files",
    "missing",
    expect.stringMatching(/^100 bytes, not \d+$/),
    "the content has another SHA-256",
    "1 rows, not 2",
    "no table of the contract: gowns",
    "not in the manifest",
  ]);
});

test("verifyGeneration compares the columns with the contract's", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const [file] = generation.manifest.files;
  if (!file) throw new Error("no file");
  const path = join(generation.folder, file.path);
  await connection.run(`COPY (SELECT * REPLACE ('x' AS "averageGPA") FROM rows_grades) TO '${path}' (FORMAT parquet)`);
  const replaced = { ...file, ...(await nodeDisk.digest(path)) };
  const changed = { ...generation.manifest, files: [replaced], id: snapshotId([replaced]) };
  const problems = await verifyGeneration(connection, { ...generation, manifest: changed });
  expect(problems.map(({ problem }) => problem)).toContain("column missing: averageGPA DECIMAL(4,2)");
  expect(problems.map(({ problem }) => problem)).toContain("column not in the contract: averageGPA VARCHAR");
});

test("the stamped publisher stamps every row with its generation", async () => {
  const publisher = await openPublisher(artifacts, { rows: 10 });
  await publisher.publish();
  const { stamp, generation } = await publisher.publish();
  publisher.close();
  expect(stamp).toBe(2);
  expect(generation.manifest.generation).toBe(2);
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT "gradeACount", "gradeWCount" FROM read_parquet('${generation.folder}/grades/*/*.parquet')`,
  );
  expect(found.getRowsJson()).toEqual([[2, 2]]);
});
