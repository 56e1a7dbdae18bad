/** verifyGeneration: every way in which a generation is not what its manifest says. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { collect } from "../../../pipeline/publish/retention.ts";
import { now, openYears } from "../publish/years.ts";

const { connection, place, publishYears } = await openYears();

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
  const changed = { ...generation.manifest, files: [replaced], id: snapshotId([replaced], null) };
  const problems = await verifyGeneration(connection, { ...generation, manifest: changed });
  expect(problems.map(({ problem }) => problem)).toContain("column missing: averageGPA DOUBLE");
  expect(problems.map(({ problem }) => problem)).toContain("column not in the contract: averageGPA VARCHAR");
});

test("what the manifest does not name is a problem, whatever it is, until retention removes it", async () => {
  const { generation } = await publishYears(["2023", 1], ["2024", 1]);
  const { folder, manifest } = generation;
  const elsewhere = join(place.artifacts, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "mine"), "");
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  const [file] = manifest.files;
  copyFileSync(join(folder, file?.path ?? ""), join(folder, "grades", `2025-${"0".repeat(32)}.parquet`));
  mkdirSync(join(folder, "grades/deep/deeper"), { recursive: true });
  mkdirSync(join(folder, "empty"));
  writeFileSync(join(folder, "manifest.json.old"), "");
  symlinkSync(elsewhere, join(folder, "linked"));
  const foreign = ["empty", `grades/2025-${"0".repeat(32)}.parquet`, "grades/deep", "linked", "manifest.json.old"];
  const problems = await verifyGeneration(connection, generation);
  expect(problems.map(({ path }) => path).toSorted()).toEqual(foreign);
  expect(new Set(problems.map(({ problem }) => problem))).toEqual(new Set(["not in the manifest"]));
  // While something is damaged they may be copies of it.
  expect((await collect(place.artifacts, { now, keepGenerations: Infinity })).foreign).toEqual([]);
  const removed = (await collect(place.artifacts, { now })).foreign;
  expect(removed.toSorted()).toEqual(foreign.map((path) => join(basename(folder), path)));
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  expect(readdirSync(elsewhere)).toEqual(["mine"]);
});

test("a table's folder that is a link is named, though its files are sound", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const moved = join(place.artifacts, "moved");
  renameSync(join(generation.folder, "grades"), moved);
  symlinkSync(moved, join(generation.folder, "grades"));
  expect(await verifyGeneration(connection, generation)).toEqual([{ path: "grades", problem: "not in the manifest" }]);
});
