/** Where sound copies of a damaged file are, and which backups are read: on a disk in memory. */
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { type CopySources, findListed, ownBackups, soundCopies } from "../../../pipeline/generations/copies.ts";
import { olderPath } from "../../../pipeline/generations/layout.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, fileOf, putGeneration } from "../../support/memory-generations.ts";

const BACKUP = "/data/backup";
const ours = { schedule: "https://example.edu" };
const theirs = { schedule: "sample campus (standard)" };
const HISTORY = "enrollment_history";
const lost = fileOf(HISTORY, { year: "2024" }, "recorded");

const sourcesOn = (disk: MemoryDisk, manifests: readonly Manifest[] = []): CopySources => ({
  ...{ artifacts: ARTIFACTS, contract: CONTRACT_VERSION, disk },
  backups: async () => ({ folder: BACKUP, manifests }),
  isOurs: ({ schedule }) => schedule !== theirs.schedule,
});
async function copiesOf(
  disk: MemoryDisk,
  file = lost,
  backups: readonly Manifest[] = [],
): Promise<(string | undefined)[][]> {
  const found = [];
  for await (const { from, stateOf } of soundCopies(sourcesOn(disk, backups), file)) found.push([from, stateOf]);
  return found;
}
function putBackup(disk: MemoryDisk, day: string, text: string, given: Partial<Manifest> = {}): Manifest {
  const files = [fileOf(HISTORY, { year: "2024" }, text)];
  for (const { path } of files) disk.put(join(BACKUP, path), text);
  return {
    ...{
      contract: CONTRACT_VERSION,
      id: "1".repeat(16),
      generation: 1,
      createdAt: `${day}T20:00:00.000Z`,
      source: ours,
    },
    ...{ changesBefore: null, snapshots: [], files, ...given },
  };
}

it("copies with the same content are in any generation, under its older path too, and in the backups", async () => {
  const disk = memoryDisk();
  const texts = { [HISTORY]: "recorded" };
  const first = putGeneration(disk, { number: 1, texts });
  const second = putGeneration(disk, { number: 2, texts });
  const third = putGeneration(disk, { number: 3, texts });
  await disk.rm(join(first.folder, lost.path));
  disk.put(join(first.folder, olderPath(lost)), "recorded");
  disk.put(join(third.folder, lost.path), "RECORDED");
  expect(await copiesOf(disk, { ...lost, table: "grades", path: lost.path })).toEqual([
    [`generation ${second.name}`, undefined],
  ]);
  const backups = ["2026-11-09", "2026-11-01"].map((day) => putBackup(disk, day, "recorded"));
  expect((await copiesOf(disk, lost, backups)).slice(0, 3)).toEqual([
    [`generation ${second.name}`, undefined],
    [`generation ${first.name}`, undefined],
    ["the backup of 2026-11-09", undefined],
  ]);
  expect((await copiesOf(disk))[2]).toEqual(["the backup", undefined]);
});

it("a file with several names is looked at once", async () => {
  const disk = memoryDisk();
  const texts = { grades: "a" };
  const first = putGeneration(disk, { number: 1, texts });
  const second = putGeneration(disk, { number: 2, texts });
  const [file] = first.manifest.files;
  const path = file?.path ?? "";
  disk.put(join(first.folder, path), "a", join(second.folder, path));
  expect(await copiesOf(disk, file)).toEqual([[`generation ${second.name}`, undefined]]);
});

it("of recorded history there are older states, newest first: of our campus, this contract and this part", async () => {
  const disk = memoryDisk();
  const put = (number: number, text: string, manifest = {}) =>
    putGeneration(disk, { number, texts: { [HISTORY]: text, grades: "a" }, manifest: { source: ours, ...manifest } });
  put(1, "older");
  put(5, "newer");
  put(6, "another campus", { source: theirs });
  put(7, "another contract", { contract: CONTRACT_VERSION - 1 });
  const backups = [
    putBackup(disk, "2026-11-04", "of another campus", { source: theirs }),
    putBackup(disk, "2026-11-03", "backed up"),
    putBackup(disk, "2026-11-02", "of another contract", { contract: CONTRACT_VERSION - 1 }),
  ];
  const states = (await copiesOf(disk, lost, backups)).map(([from, stateOf]) => [
    from?.replace(/-[0-9a-f]{16}$/, ""),
    stateOf,
  ]);
  expect(states).toEqual([
    ["generation 5", "2026-11-05T00:00:00.000Z"],
    ["the backup of 2026-11-03", "2026-11-03T20:00:00.000Z"],
    ["generation 1", "2026-11-01T00:00:00.000Z"],
  ]);
  // What can be fetched again is.
  expect(await copiesOf(disk, fileOf("grades", { year: "2024" }, "gone"))).toEqual([]);
  expect(await copiesOf(disk, { ...lost, partition: { year: "2023" } })).toEqual([]);
  expect(await ownBackups(sourcesOn(disk, backups))).toEqual([backups[1]]);
});

it("a file is described by the newest manifest that lists it", async () => {
  const disk = memoryDisk();
  putGeneration(disk, { number: 1, texts: { grades: "a" }, isCurrent: true });
  const file = fileOf("grades", { year: "2024" }, "a");
  expect(await findListed(sourcesOn(disk), file.path)).toEqual(file);
  expect(await findListed(sourcesOn(disk), "grades/2024-other.parquet")).toBeUndefined();
});
