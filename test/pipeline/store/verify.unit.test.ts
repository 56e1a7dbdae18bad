/** Snapshots compared with their manifests: over files of which a database says columns and rows. */
import { filesBelow } from "../../../pipeline/disk/disk.ts";
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nullRow } from "../../../pipeline/contract/sql-text.ts";
import { emptyName, TABLES } from "../../../pipeline/contract/tables.ts";
import { filesOfView, VIEWS } from "../../../pipeline/contract/views.ts";
import { relationNamed, schemaProblems, tableNamed } from "../../../pipeline/store/schema.ts";
import { checkoutProblems, findForeign, pathsOf, verifySnapshot } from "../../../pipeline/store/verify.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { ARTIFACTS, COLUMN_TYPES, fileOf, putGeneration } from "../../support/memory-generations.ts";

const YEAR = { year: "2024" };

/** The text of a file says what the database reads: columns by letter, after a point the rows; `?` is no Parquet. */
function databaseOn(disk: MemoryDisk): DuckDBConnection {
  const runAndReadAll = async (sql: string, [path]: string[] = []) => {
    const text = path === undefined ? "" : await disk.readFile(path);
    if (text.startsWith("?")) throw new Error("no Parquet");
    const [letters = "", rows = "1"] = text.split(".");
    const columns =
      path === undefined
        ? COLUMN_TYPES
        : [...letters].map((letter) => COLUMN_TYPES.find((type) => type.startsWith(letter)) ?? `${letter} X`);
    return { getRowsJS: () => [[BigInt(rows)]], getRowsJson: () => columns.map((column) => column.split(" ")), sql };
  };
  return { runAndReadAll } as unknown as DuckDBConnection;
}

it.each([
  ["abc", []],
  ["ab", ["column missing: c DATE"]],
  ["abcd", ["column not in the contract: d X"]],
  ["adb", ["column missing: c DATE", "column not in the contract: d X"]],
  ["acb", ["columns in another order than the contract's"]],
  ["abcc", ["columns in another order than the contract's"]],
])("a file with the columns %s: %j", async (columns, expected) => {
  const disk = memoryDisk();
  disk.put("/file", columns);
  for (const table of [TABLES.grades, TABLES.grades])
    expect(await schemaProblems(databaseOn(disk), table, "/file")).toEqual(expected);
});

it("the contract's columns are asked for once", async () => {
  const table = { ...TABLES.departments };
  const asked: string[] = [];
  const runAndReadAll = async (sql: string) => {
    asked.push(sql);
    return { getRowsJson: () => [["a", "INTEGER"]] };
  };
  const connection = { runAndReadAll } as unknown as DuckDBConnection;
  for (let i = 0; i < 3; i++) expect(await schemaProblems(connection, table, "/file")).toEqual([]);
  const described = (select: string) => `SELECT column_name, column_type FROM (DESCRIBE ${select})`;
  const read = described("SELECT * FROM read_parquet($1, hive_partitioning = false)");
  expect(asked).toEqual([read, described(nullRow(table)), read, read]);
});

it("a name is that of a table, or of a view's folder", () => {
  const [view] = VIEWS;
  expect([tableNamed("grades"), tableNamed("toString"), tableNamed("gowns")]).toEqual([
    TABLES.grades,
    undefined,
    undefined,
  ]);
  expect([relationNamed("grades"), relationNamed("gowns")]).toEqual([TABLES.grades, undefined]);
  expect(view && relationNamed(filesOfView(view))).toBe(view);
  expect([relationNamed(emptyName("grades")), relationNamed(emptyName("gowns"))]).toEqual([TABLES.grades, undefined]);
});

it("what differs is named: of each object the first thing, and what no manifest lists", async () => {
  const disk = memoryDisk();
  const texts = { grades: "abc", larc: "ab.2", courses: "?", sections: "abc", headings: "abc" };
  const published = putGeneration(disk, { number: 3, texts, isCurrent: true });
  const { files } = published.manifest;
  const verify = async (given: Partial<typeof published.manifest> = {}) =>
    (await verifySnapshot(databaseOn(disk), { ...published, manifest: { ...published.manifest, ...given } }, disk)).map(
      ({ path, problem }) => `${path.split("/")[0]}: ${problem}`,
    );
  const problems = ["larc: column missing: c DATE", "larc: 2 rows, not 1", "courses: no Parquet file"];
  expect(await verify()).toEqual(problems);
  const gowns = fileOf("gowns", YEAR, "abc");
  disk.put(join(ARTIFACTS, gowns.path), "abc");
  expect(await verify({ files: [...files, gowns] })).toEqual([
    ...problems,
    "gowns: no table of the contract: gowns",
    "current: missing",
  ]);
  // Nobody knows who owns the folder.
  expect(await verify()).toEqual(problems);
  disk.put(join(ARTIFACTS, `grades/2025-${"0".repeat(32)}.parquet`), "abc");
  disk.put(join(ARTIFACTS, files[3]?.path ?? ""), "cba");
  const damaged = "sections: the content has another SHA-256";
  expect(await verify()).toEqual([...problems, damaged, "grades: not in the manifest"]);
});

it("retained snapshots have manifests and all of their objects", async () => {
  const disk = memoryDisk();
  const put = (number: number, text: string) => putGeneration(disk, { number, texts: { grades: text } });
  const [cut, lacking] = [put(1, "abc.1"), put(2, "abc.2")];
  const current = putGeneration(disk, { number: 3, texts: { grades: "abc" }, isCurrent: true });
  const problems = () => verifySnapshot(databaseOn(disk), current, disk);
  expect(await problems()).toEqual([]);
  const [object] = lacking.manifest.files;
  disk.put(join(ARTIFACTS, object?.path ?? ""), "ABC.2");
  expect(await problems()).toEqual([{ path: object?.path, problem: "the content has another SHA-256" }]);
  await disk.rm(join(ARTIFACTS, object?.path ?? ""));
  disk.put(`${ARTIFACTS}/snapshots/${cut.name}.json`, "{");
  expect(await problems()).toEqual([
    { path: `snapshots/${cut.name}.json`, problem: `${cut.name}.json is no JSON` },
    { path: object?.path, problem: "missing" },
    // The manifest that lists it cannot be read.
    { path: cut.manifest.files[0]?.path, problem: "not in the manifest" },
  ]);
});

it("the checkout is that of the current snapshot, with every file of it and no other", async () => {
  const disk = memoryDisk();
  const current = putGeneration(disk, { number: 3, texts: { grades: "a", larc: "b" }, isCurrent: true });
  const checkout = `${ARTIFACTS}/checkouts/${current.name}`;
  const [grades, larc] = current.manifest.files.map(({ path }) => path);
  const problems = () => checkoutProblems(current, disk);
  expect(await problems()).toEqual([]);
  // A copy is as good as a link, where it has the same content.
  disk.put(join(checkout, grades ?? ""), "a");
  expect(await problems()).toEqual([]);
  disk.put(join(checkout, grades ?? ""), "A");
  await disk.rm(join(checkout, larc ?? ""));
  disk.put(join(checkout, "larc/mine.parquet"), "");
  disk.put(join(checkout, "notes.txt"), "");
  expect(await problems()).toEqual([
    { path: `current/${grades}`, problem: "the content has another SHA-256" },
    { path: `current/${larc}`, problem: "missing" },
    { path: "current/larc/mine.parquet", problem: "not in the manifest" },
    { path: "current/notes.txt", problem: "not in the manifest" },
  ]);
  await disk.rm(`${ARTIFACTS}/current`);
  const elsewhere = [{ path: "current", problem: `does not lead to the checkout of ${current.name}` }];
  expect(await problems()).toEqual(elsewhere);
  disk.putLink(`${ARTIFACTS}/current`, "/elsewhere");
  expect(await problems()).toEqual(elsewhere);
});

it("what no manifest names is foreign, whatever it is; what is in a foreign folder is not looked at", async () => {
  const disk = memoryDisk();
  const view = { ...fileOf("views/seats", {}, "v"), madeOf: "1".repeat(64) };
  const { manifest } = putGeneration(disk, { number: 1, texts: { grades: "a", larc: "b" }, made: [view] });
  disk.put(join(ARTIFACTS, view.path), "v");
  const foreign = () => findForeign(ARTIFACTS, pathsOf(manifest), disk);
  expect(await foreign()).toEqual([]);
  for (const path of ["grades/stray", "grades/deep/file", "views/other/file", "mine/file"])
    disk.put(join(ARTIFACTS, path), "");
  expect((await foreign()).toSorted()).toEqual(["grades/deep", "grades/stray", "views/other"]);
  expect(await findForeign(ARTIFACTS, pathsOf(manifest).add("grades/stray"), disk)).not.toContain("grades/stray");
  await disk.rm(`${ARTIFACTS}/larc`);
  disk.putLink(`${ARTIFACTS}/larc`, "/elsewhere");
  expect(await foreign()).toContain("larc");
  expect(await filesBelow(disk, ARTIFACTS)).toEqual(expect.arrayContaining(["mine/file", view.path]));
});
