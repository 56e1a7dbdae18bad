/** The sound copies of a damaged file, and the backups that are read, on a disk in memory. */
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { type CopySources, ownBackups, soundCopies } from "../../../pipeline/generations/copies.ts";
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
    ...{ contentId: "2".repeat(16), changesBefore: null, files, ...given },
  };
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
  const backups = ["2026-11-09", "2026-11-01"].map((day) => putBackup(disk, day, "recorded"));
  expect((await copiesOf(disk, lost, backups))[0]).toEqual(["the backup of 2026-11-09", undefined]);
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
    ["snapshot 5", "2026-11-05T00:00:00.000Z"],
    ["the backup of 2026-11-03", "2026-11-03T20:00:00.000Z"],
    ["snapshot 1", "2026-11-01T00:00:00.000Z"],
  ]);
  // Data that can be fetched again is fetched.
  expect(await copiesOf(disk, fileOf("grades", { year: "2024" }, "gone"))).toEqual([]);
  expect(await copiesOf(disk, { ...lost, partition: { year: "2023" } })).toEqual([]);
  expect(await ownBackups(sourcesOn(disk, backups))).toEqual([backups[1]]);
});
