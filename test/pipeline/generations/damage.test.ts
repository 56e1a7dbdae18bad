/** What is published was damaged: it is told what and how, and a run starts from the last sound generation. */
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../../../pipeline/contract/tables.ts";
import { type Disk, nodeDisk } from "../../../pipeline/publish/disk.ts";
import { DamagedGeneration, OtherContract } from "../../../pipeline/generations/manifest.ts";
import { readBase } from "../../../pipeline/generations/base.ts";
import { readCurrent } from "../../../pipeline/generations/generation.ts";
import { createStaging } from "../../../pipeline/publish/staging.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { now, openYears } from "../publish/years.ts";

const { connection, place, publishYears } = await openYears();

const flipBit = (path: string) => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
const rewrite = (folder: string, change: object) =>
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ contract: CONTRACT_VERSION, ...change }));

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
      rewrite(folder, {
        ...{ id: "0".repeat(16), contentId: "0".repeat(16), generation: 3, createdAt: now.toISOString() },
        ...{ source: {}, changesBefore: null, snapshots: [], files: [] },
      }),
    DamagedGeneration,
    /manifest is that of 3-0000/,
  ],
  [
    "another contract version, told apart",
    (folder) => rewrite(folder, { contract: CONTRACT_VERSION + 1 }),
    OtherContract,
    /of contract version/,
  ],
])("%s: a run starts from the last sound generation and mends", async (_what, harm, kind, words) => {
  await publishYears(["2023", 1], ["2024", 1]);
  const sound = await publishYears(["2024", 2]);
  const { generation } = await publishYears(["2024", 3]);
  harm(generation.folder);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(kind);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(words);
  const base = await readBase(place.artifacts);
  expect(base.damage).toBeInstanceOf(kind);
  expect(base.generation?.manifest.id).toBe(sound.id);
  // Also when the data is that of the sound one: it has to be put in service.
  const mended = await publishYears(["2024", 2]);
  expect(mended).toMatchObject({ changed: true, id: sound.id });
  expect(mended.generation.manifest.generation).toBe(4);
  expect(await verifyGeneration(connection, mended.generation)).toEqual([]);
});

test.each<[what: string, harm: (path: string) => void, problem: RegExp]>([
  ["a file that is gone", (path) => rmSync(path), /^missing$/],
  ["one that was cut short", (path) => truncateSync(path, 100), /^100 bytes, not \d+$/],
  ["one with a flipped bit", flipBit, /another SHA-256/],
  ["a folder in its place", (path) => (rmSync(path), mkdirSync(path)), /^missing$/],
])("%s: the generation is the base all the same, and nothing is published with it", async (_what, harm, problem) => {
  await publishYears(["2023", 1], ["2024", 1]);
  const { generation } = await publishYears(["2024", 2]);
  const file = generation.manifest.files.find(({ partition }) => partition.year === "2024") as PublishedFile;
  harm(join(generation.folder, file.path));
  const base = await readBase(place.artifacts);
  expect(base).toEqual({
    generation,
    damage: undefined,
    damaged: [{ file, problem: expect.stringMatching(problem) }],
    unreadable: undefined,
  });
  const staging = createStaging(place.artifacts, base);
  expect([staging.find("grades", { year: "2024" }), staging.paths("grades", { year: "2024" })]).toEqual([file, []]);
  await expect(publishYears(["2023", 2])).rejects.toThrow(`${file.path} is damaged`);
  // The same data as before: it has to be written anew all the same.
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
  const { damaged } = await readBase(place.artifacts, { ...nodeDisk, digest });
  const [file] = generation.manifest.files.filter(({ partition }) => partition.year === "2024");
  expect(damaged).toEqual([{ file, problem: "cannot be read (EIO)" }]);
});

test("a manifest with another hash than the folder's name says is none", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const { sha256 = "" } = generation.manifest.files[0] ?? {};
  const path = join(generation.folder, "manifest.json");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replaceAll(
      sha256,
      sha256.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
    ),
  );
  const base = await readBase(place.artifacts);
  expect([base.generation, base.damage?.message, base.unreadable]).toEqual([
    undefined,
    expect.stringContaining("the id is not that of its files"),
    basename(generation.folder),
  ]);
});

test("a file that was cut short", async () => {
  const { generation } = await publishYears(["2024", 1]);
  truncateSync(join(generation.folder, generation.manifest.files[0]?.path ?? ""), 100);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(/: 100 bytes, not \d+$/);
});

test("a link to somewhere else, or no link at all, is not followed and not replaced by force", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const current = join(place.artifacts, "current");
  rmSync(current);
  symlinkSync("/etc", current);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(/leads to \/etc, no generation/);
  rmSync(current);
  mkdirSync(current);
  await expect(readCurrent(place.artifacts)).rejects.toThrow(/no symbolic link/);
  await expect(publishYears(["2024", 2])).rejects.toThrow(/move it away/);
  rmSync(current, { recursive: true });
  expect((await readBase(place.artifacts)).generation).toEqual(generation);
});

test("nothing sound left: a run starts anew", async () => {
  const { generation } = await publishYears(["2024", 1]);
  renameSync(join(generation.folder, "manifest.json"), join(generation.folder, "manifest.old"));
  expect((await readBase(place.artifacts)).generation).toBeUndefined();
  expect(await publishYears(["2024", 1])).toMatchObject({ changed: true });
  expect((await readCurrent(place.artifacts))?.manifest.generation).toBe(2);
});
