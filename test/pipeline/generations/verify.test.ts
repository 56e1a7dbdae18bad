/** verifyGeneration: every way in which a generation is not what its manifest says. */
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { nodeDisk } from "../../../pipeline/publish/disk.ts";
import { snapshotId } from "../../../pipeline/generations/snapshot-id.ts";
import { verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { openYears } from "../publish/years.ts";

const { connection, publishYears } = await openYears();

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
  expect(problems.map(({ problem }) => problem)).toContain("column missing: averageGPA DECIMAL(4,2)");
  expect(problems.map(({ problem }) => problem)).toContain("column not in the contract: averageGPA VARCHAR");
});
