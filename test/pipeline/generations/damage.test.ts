/** Damage to the published data: it is reported in detail, and a run starts from the last sound snapshot. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { type Disk, nodeDisk } from "../../../pipeline/disk/disk.ts";
import { type Generation, readCurrent } from "../../../pipeline/store/published.ts";
import { nameOf } from "../../../pipeline/store/layout.ts";
import { DamagedGeneration, OtherContract } from "../../../pipeline/store/manifest.ts";
import { readBase } from "../../../pipeline/store/open.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { verifyGeneration } from "../../../pipeline/store/verify.ts";
import { openYears } from "../publish/years.ts";

const { connection, place, publishYears } = await openYears();

const flipBit = (path: string) => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
const pointerPath = () => join(place.artifacts, "current.json");
const manifestPath = ({ manifest }: Generation) => join(place.artifacts, "snapshots", `${nameOf(manifest)}.json`);
const otherContract = `"contract": ${CONTRACT_VERSION + 1}`;

test.each<
  [what: string, harm: (text: string) => string, kind: typeof DamagedGeneration | typeof OtherContract, words: RegExp]
>([
  ["is cut off", (text) => text.slice(0, 50), DamagedGeneration, /no JSON/],
  ["names no snapshot", () => "{}", DamagedGeneration, /current.json: snapshot/],
  [
    "is of another contract version, told apart",
    (text) => text.replace(/"contract": \d+/, otherContract),
    OtherContract,
    /of contract version/,
  ],
])("a pointer that %s: nothing is lost, a run starts from the same snapshot and mends", async (...row) => {
  const [, harm, kind, words] = row;
  await publishYears(["2023", 1], ["2024", 1]);
  const { generation } = await publishYears(["2024", 2]);
  writeFileSync(pointerPath(), harm(readFileSync(pointerPath(), "utf8")));
  await expect(readCurrent(place.artifacts)).rejects.toThrow(kind);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(words);
  const base = await readBase(place.artifacts);
  expect(base).toMatchObject({ damage: expect.any(kind), lost: [], unreadable: undefined });
  expect(base.generation).toEqual(generation);
  // The data may be the same: the pointer has to be written again.
  const mended = await publishYears(["2024", 2]);
  expect(mended).toMatchObject({ changed: true, id: generation.manifest.id });
  expect(mended.generation.manifest.generation).toBe(3);
  expect(mended.generation.retained.map(({ generation: number }) => number)).toEqual([2, 1]);
  expect(await verifyGeneration(connection, mended.generation)).toEqual([]);
});

test.each<[what: string, harm: (path: string) => void]>([
  ["is cut off", (path) => truncateSync(path, 50)],
  ["is another snapshot's", (path) => flipNumber(path)],
])("a pointer is gone and the newest manifest %s: a run starts from the snapshot before it", async (_what, harm) => {
  await publishYears(["2023", 1], ["2024", 1]);
  const sound = await publishYears(["2024", 2]);
  const { generation } = await publishYears(["2024", 3]);
  rmSync(pointerPath());
  harm(manifestPath(generation));
  const base = await readBase(place.artifacts);
  expect([base.generation?.manifest.id, base.unreadable]).toEqual([sound.id, nameOf(generation.manifest)]);
  const mended = await publishYears(["2024", 2]);
  expect(mended).toMatchObject({ changed: true, id: sound.id });
  // The number of the damaged one stays taken.
  expect(mended.generation.manifest.generation).toBe(4);
});

function flipNumber(path: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace('"generation": 3', '"generation": 7'));
}

test.each<[what: string, harm: (path: string) => void, problem: RegExp]>([
  ["a file that is gone", (path) => rmSync(path), /^missing$/],
  ["one that was cut short", (path) => truncateSync(path, 100), /^100 bytes, not \d+$/],
  ["one with a flipped bit", flipBit, /another SHA-256/],
  ["a folder in its place", (path) => (rmSync(path), mkdirSync(path)), /^missing$/],
])("%s: the snapshot is the base all the same, and nothing is published with it", async (_what, harm, problem) => {
  await publishYears(["2023", 1], ["2024", 1]);
  const { generation } = await publishYears(["2024", 2]);
  const file = generation.manifest.files.find(({ partition }) => partition.year === "2024") as PublishedFile;
  harm(join(generation.folder, file.path));
  const base = await readBase(place.artifacts);
  expect(base).toEqual({
    generation,
    etag: expect.stringMatching(/^[0-9a-f]{64}$/),
    damage: undefined,
    lost: [{ file, problem: expect.stringMatching(problem) }],
    unreadable: undefined,
  });
  const staging = createStaging(place.artifacts, base);
  expect([staging.find("grades", { year: "2024" }), staging.paths("grades", { year: "2024" })]).toEqual([file, []]);
  await expect(publishYears(["2023", 2])).rejects.toThrow(`${file.path} is lost`);
  // The data is the same as before: it has to be written again nevertheless.
  const mended = await publishYears(["2024", 2]);
  expect([mended.changed, mended.id]).toEqual([true, generation.manifest.id]);
  expect(await verifyGeneration(connection, mended.generation)).toEqual([]);
});

test("a disk that does not give a block back: the file is damaged, the run goes on", async () => {
  const { generation } = await publishYears(["2023", 1], ["2024", 1]);
  const digest: Disk["digest"] = (path) =>
    path.includes("grades/2024-")
      ? Promise.reject(Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }))
      : nodeDisk.digest(path);
  const { lost } = await readBase(place.artifacts, { ...nodeDisk, digest });
  const [file] = generation.manifest.files.filter(({ partition }) => partition.year === "2024");
  expect(lost).toEqual([{ file, problem: "cannot be read (EIO)" }]);
});

test("`current` is put right where it leads elsewhere, and never replaced by force where it is no link", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const current = join(place.artifacts, "current");
  rmSync(current);
  symlinkSync("/etc", current);
  expect(await publishYears(["2024", 1])).toMatchObject({ changed: false });
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  rmSync(current);
  mkdirSync(current);
  await expect(publishYears(["2024", 2])).rejects.toThrow(/move it away/);
  expect(await readCurrent(place.artifacts)).toEqual(generation);
  rmSync(current, { recursive: true });
  const { changed, generation: next } = await publishYears(["2024", 2]);
  expect([changed, await verifyGeneration(connection, next)]).toEqual([true, []]);
});

test("nothing sound left: a run starts anew", async () => {
  const { generation } = await publishYears(["2024", 1]);
  for (const path of [pointerPath(), manifestPath(generation)]) writeFileSync(path, "{");
  expect((await readBase(place.artifacts)).generation).toBeUndefined();
  expect(await publishYears(["2024", 1])).toMatchObject({ changed: true });
  expect((await readCurrent(place.artifacts))?.manifest.generation).toBe(2);
});
