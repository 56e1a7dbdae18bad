/** Where sound copies of a damaged file are, and which backups are read: on a disk in memory. */
import { join } from "node:path";
import { expect, it } from "vitest";
import type { BackupList } from "../../../pipeline/contract/documents/backup.ts";
import { CONTRACT_VERSION, IRREPLACEABLE_TABLES } from "../../../pipeline/contract/tables.ts";
import {
  backupPath,
  covers,
  findDamagedBackups,
  irreplaceableFiles,
  newestRefused,
  readBackupFolder,
} from "../../../pipeline/generations/backups.ts";
import { type CopySources, readBackups, soundCopies } from "../../../pipeline/generations/copies.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const BACKUP = "/data/backup";
const ours = { schedule: "https://example.edu" };
const theirs = { schedule: "sample campus (standard)" };
const HISTORY = "enrollment_history";
const lost = fileOf(HISTORY, { year: "2024" }, "recorded");

const sourcesOn = (disk: MemoryDisk): CopySources => ({
  ...{ artifacts: ARTIFACTS, backup: BACKUP, contract: CONTRACT_VERSION, disk },
  isOurs: ({ schedule }) => schedule !== theirs.schedule,
});
async function copiesOf(disk: MemoryDisk, file = lost): Promise<(string | undefined)[][]> {
  const found = [];
  for await (const { from, stateOf } of soundCopies(sourcesOn(disk), file)) found.push([from, stateOf]);
  return found;
}
function putBackup(disk: MemoryDisk, name: string, texts: readonly string[], given: Partial<BackupList> = {}): void {
  const files = texts.map((text) => fileOf(HISTORY, { year: "2024" }, text));
  for (const [i, text] of texts.entries()) disk.put(backupPath(BACKUP, files[i]?.sha256 ?? ""), text);
  const createdAt = `${name.slice(0, 10)}T00:00:00.000Z`;
  const list = {
    ...{ contract: CONTRACT_VERSION, createdAt, snapshot: "1".repeat(16), changesBefore: null },
    ...{ source: ours, files, problems: [], ...given },
  };
  disk.put(join(BACKUP, name), JSON.stringify(list));
}

it("copies with the same content are where it is published, in checkouts that share no blocks, and in the backups", async () => {
  const disk = memoryDisk();
  putGeneration(disk, { number: 1, texts: { [HISTORY]: "recorded" }, isCurrent: true });
  expect(await copiesOf(disk)).toContainEqual(["what is published", undefined]);
  const object = join(ARTIFACTS, lost.path);
  const [linked = ""] = disk.paths().filter((path) => path.endsWith(`/${lost.path}`) && path !== object);
  disk.put(object, "RECORDED");
  disk.put(linked, "RECORDED", object);
  const published = { ...lost, table: "grades" };
  expect(await copiesOf(disk, published)).toEqual([]);
  // On a file system without hard links the checkout has a copy of its own.
  disk.put(linked, "recorded");
  expect(await copiesOf(disk, published)).toEqual([["what is published", undefined]]);
  await disk.rm(linked);
  putBackup(disk, "2026-11-01.json", ["recorded"]);
  putBackup(disk, "2026-11-09.json", ["recorded"]);
  expect((await copiesOf(disk))[0]).toEqual(["the backup of 2026-11-09", undefined]);
  await disk.rm(join(BACKUP, "2026-11-01.json"));
  await disk.rm(join(BACKUP, "2026-11-09.json"));
  expect((await copiesOf(disk))[0]).toEqual(["the backup", undefined]);
});

it("a file with several names is looked at once", async () => {
  const disk = memoryDisk();
  const { manifest } = putGeneration(disk, { number: 1, texts: { grades: "a" }, isCurrent: true });
  expect(await copiesOf(disk, manifest.files[0])).toEqual([["what is published", undefined]]);
});

it("of recorded history there are older states, newest first: of our campus, this contract and this part", async () => {
  const disk = memoryDisk();
  const put = (number: number, text: string, manifest = {}) =>
    putGeneration(disk, { number, texts: { [HISTORY]: text, grades: "a" }, manifest: { source: ours, ...manifest } });
  put(1, "older");
  put(5, "newer");
  put(6, "another campus", { source: theirs });
  put(7, "another contract", { contract: CONTRACT_VERSION - 1 });
  putBackup(disk, "2026-11-03.json", ["backed up"]);
  putBackup(disk, "2026-11-04.json", ["of another campus"], { source: theirs });
  putBackup(disk, "2026-11-02.json", ["of another contract"], { contract: CONTRACT_VERSION - 1 });
  const states = (await copiesOf(disk)).map(([from, stateOf]) => [from?.replace(/-[0-9a-f]{16}$/, ""), stateOf]);
  expect(states).toEqual([
    ["snapshot 5", "2026-11-05T00:00:00.000Z"],
    ["the backup of 2026-11-03", "2026-11-03T00:00:00.000Z"],
    ["snapshot 1", "2026-11-01T00:00:00.000Z"],
  ]);
  // What can be fetched again is.
  expect(await copiesOf(disk, fileOf("grades", { year: "2024" }, "gone"))).toEqual([]);
  expect(await copiesOf(disk, { ...lost, partition: { year: "2023" } })).toEqual([]);
  const [listed] = (await readBackups(sourcesOn(disk))).map(({ name }) => name);
  expect(listed).toBe("2026-11-03.json");
});

it("backups are listed newest first; what is damaged, of a version that is refused, or no list is told apart", async () => {
  const disk = memoryDisk();
  expect(await readBackupFolder(BACKUP, disk)).toEqual({ backups: [], damaged: [], refused: [] });
  putBackup(disk, "2026-11-01.json", ["a"]);
  putBackup(disk, "2026-11-03.json", ["a"]);
  putBackup(disk, `2026-11-03.${"5".repeat(16)}.json`, ["b"], { createdAt: "2026-11-03T05:00:00.000Z" });
  putBackup(disk, "2026-11-02.json", ["a"], { contract: 9 });
  disk.put(join(BACKUP, "2026-10-01.json"), "{");
  disk.put(join(BACKUP, "2026-10-02.json"), "{}");
  disk.put(join(BACKUP, "2026-10-03.json.part"), "{");
  const read = await readBackupFolder(BACKUP, disk);
  expect(read.backups.map(({ day, isKept, name }) => [name.length, day, isKept])).toEqual([
    [32, "2026-11-03", true],
    [15, "2026-11-03", false],
    [15, "2026-11-01", false],
  ]);
  expect(read.damaged).toEqual(["2026-10-01.json", "2026-10-02.json"]);
  expect(read.refused.map(({ name }) => name)).toEqual(["2026-11-02.json"]);
  expect(newestRefused(read)).toBeUndefined();
  putBackup(disk, "2026-11-04.json", ["a"], { contract: 10 });
  expect(newestRefused(await readBackupFolder(BACKUP, disk))).toMatchObject({
    name: "2026-11-04.json",
    reason: expect.stringMatching(`^the backup 2026-11-04.json in ${BACKUP} was written by`) as string,
  });
});

it("a file that several backups name is hashed once, below the backup folder", async () => {
  const disk = memoryDisk();
  putBackup(disk, "2026-11-01.json", ["a", "b"]);
  putBackup(disk, "2026-11-02.json", ["b"]);
  const { backups } = await readBackupFolder(BACKUP, disk);
  const { sha256 } = fileOf(HISTORY, { year: "2024" }, "b");
  disk.put(backupPath(BACKUP, sha256), "B");
  const found = await findDamagedBackups(BACKUP, backups, disk);
  expect(found.map(({ file, problem }) => [file.path, problem])).toEqual([
    [`files/${sha256}.parquet`, "the content has another SHA-256"],
  ]);
});

it("a list covers another with every term and month of it", () => {
  const [fall, winter] = ["Fall", "Winter"].map((quarter) =>
    fileOf(HISTORY, { year: "2024", quarter: quarter as "Fall" }, quarter),
  ) as [typeof lost, typeof lost];
  const later = { ...fileOf(HISTORY, fall.partition, "later") };
  expect([covers([fall, winter], [later]), covers([fall], [fall, winter]), covers([], []), covers([], [fall])]).toEqual(
    [true, false, true, false],
  );
  expect(irreplaceableFiles([lost, fileOf("grades", {}, "a")])).toEqual([lost]);
  expect(IRREPLACEABLE_TABLES).toContain(HISTORY);
});
