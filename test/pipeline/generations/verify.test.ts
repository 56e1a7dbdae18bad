/** The problems that verifyGeneration finds in Parquet files, and files that no manifest names. */
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { verifyGeneration } from "../../../pipeline/store/verify.ts";
import { collect } from "../../../pipeline/publish/retention.ts";
import { now, openYears } from "../publish/years.ts";

const { connection, place, publishYears } = await openYears();

test("columns and rows are compared with the contract and the manifest", async () => {
  const { generation } = await publishYears(["2023", 1], ["2024", 1]);
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  const [first, second] = generation.manifest.files;
  if (!first || !second) throw new Error("no files");
  const path = join(place.artifacts, first.path);
  await connection.run(`COPY (SELECT * REPLACE ('x' AS "averageGPA") FROM rows_grades) TO '${path}' (FORMAT parquet)`);
  const files = [
    { ...first, ...(await nodeDisk.digest(path)) },
    { ...second, rows: 2 },
  ];
  const problems = await verifyGeneration(connection, { ...generation, manifest: { ...generation.manifest, files } });
  expect(problems.filter(({ path }) => files.some((file) => file.path === path)).map(({ problem }) => problem)).toEqual(
    ["column missing: averageGPA DOUBLE", "column not in the contract: averageGPA VARCHAR", "1 rows, not 2"],
  );
});

test("what no manifest names is a problem, whatever it is, until retention removes it", async () => {
  const { generation } = await publishYears(["2023", 1], ["2024", 1]);
  const elsewhere = join(place.artifacts, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "mine"), "");
  const grades = join(place.artifacts, "grades");
  mkdirSync(join(grades, "deep/deeper"), { recursive: true });
  writeFileSync(join(grades, `2025-${"0".repeat(32)}.parquet`), "");
  writeFileSync(join(grades, "notes"), "");
  symlinkSync(elsewhere, join(grades, "linked"));
  const foreign = [`2025-${"0".repeat(32)}.parquet`, "deep", "linked", "notes"].map((name) => `grades/${name}`);
  expect(await verifyGeneration(connection, generation)).toEqual(
    foreign.map((path) => ({ path, problem: "not in the manifest" })),
  );
  // While something is damaged they may be copies of it.
  expect((await collect(place.artifacts, { now, keepGenerations: Infinity })).foreign).toEqual([]);
  expect((await collect(place.artifacts, { now })).foreign).toEqual(foreign.slice(1));
  expect(await verifyGeneration(connection, generation)).toEqual([]);
  expect(readdirSync(elsewhere)).toEqual(["mine"]);
});

test("a table's folder that is a link is named, though its files are sound", async () => {
  const { generation } = await publishYears(["2024", 1]);
  const moved = join(place.artifacts, "moved");
  renameSync(join(place.artifacts, "grades"), moved);
  symlinkSync(moved, join(place.artifacts, "grades"));
  expect(await verifyGeneration(connection, generation)).toEqual([{ path: "grades", problem: "not in the manifest" }]);
});
