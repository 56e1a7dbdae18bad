/** A generation compared with its manifest, and read without one: over files of which a database says columns and rows. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nullRow } from "../../../pipeline/contract/sql-text.ts";
import { emptyName, TABLES } from "../../../pipeline/contract/tables.ts";
import { filesOfView, VIEWS } from "../../../pipeline/contract/views.ts";
import { generationName } from "../../../pipeline/generations/layout.ts";
import { relationNamed, schemaProblems, tableNamed } from "../../../pipeline/generations/schema.ts";
import { readTree } from "../../../pipeline/generations/tree.ts";
import { filesBelow, findForeign, verifyGeneration } from "../../../pipeline/generations/verify.ts";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.ts";
import { COLUMN_TYPES, fileOf, putGeneration } from "../../support/memory-generations.ts";

const YEAR = { year: "2024" };

/** A text is what the database finds in a file: its columns by letter, and after a point its rows; `?` is no Parquet. */
function databaseOn(disk: MemoryDisk): DuckDBConnection {
  const runAndReadAll = async (sql: string, [path]: string[] = []) => {
    const text = path === undefined ? "" : await disk.readFile(path);
    if (text.startsWith("?")) throw new Error("no Parquet");
    const [letters = "", rows = "1"] = text.split(".");
    const columns =
      path === undefined
        ? COLUMN_TYPES
        : [...letters].map((letter) => COLUMN_TYPES.find((one) => one.startsWith(letter)) ?? `${letter} X`);
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

it("what differs is named: the id, the number, and of each file the first thing", async () => {
  const disk = memoryDisk();
  const texts = { grades: "abc", larc: "ab.2", courses: "?", sections: "abc", headings: "abc" };
  const { folder, manifest } = putGeneration(disk, { number: 3, texts });
  const [, , , sections] = manifest.files;
  const verify = async (given: Partial<typeof manifest> = {}, at = folder) =>
    (await verifyGeneration(databaseOn(disk), { folder: at, manifest: { ...manifest, ...given } }, disk)).map(
      ({ path, problem }) => `${path.split("/")[0]}: ${problem}`,
    );
  const found = ["larc: column missing: c DATE", "larc: 2 rows, not 1", "courses: no Parquet file"];
  expect(await verify()).toEqual(found);
  disk.put(join(folder, sections?.path ?? ""), "cba");
  const gowns = { ...fileOf("gowns", YEAR, "abc") };
  disk.put(join(folder, gowns.path), "abc");
  expect(await verify({ files: [...manifest.files, gowns], generation: 4 })).toEqual([
    "manifest.json: the id is not that of its files",
    "manifest.json: the manifest is that of another generation",
    ...found,
    "sections: the content has another SHA-256",
    "gowns: no table of the contract: gowns",
  ]);
  expect(generationName(3, manifest.id)).toBe(folder.split("/").at(-1));
  expect(await verify()).toEqual([...found, "sections: the content has another SHA-256", "gowns: not in the manifest"]);
});

it("what the manifest does not name is foreign, whatever it is; what is in a foreign folder is not looked at", async () => {
  const disk = memoryDisk();
  const view = { ...fileOf("views/seats", {}, "v"), madeOf: "1".repeat(64) };
  const generation = putGeneration(disk, {
    number: 1,
    texts: { grades: "a", larc: "b" },
    made: [view],
  });
  const { folder } = generation;
  disk.put(join(folder, view.path), "v");
  expect(await findForeign(generation, disk)).toEqual([]);
  for (const path of ["stray", "grades/stray", "other/deep/file", "views/other/file"]) disk.put(join(folder, path), "");
  expect(await findForeign(generation, disk)).toEqual(["other", "stray", "grades/stray", "views/other"]);
  expect(await filesBelow(disk, folder)).toEqual(
    expect.arrayContaining(["manifest.json", "other/deep/file", view.path]),
  );
  await disk.rm(join(folder, "larc"));
  disk.putLink(join(folder, "larc"), "/elsewhere");
  expect(await findForeign(generation, disk)).toEqual(["larc", "other", "stray", "grades/stray", "views/other"]);
});

it("a tree says by its paths what its files are, and each is compared with its name and the contract", async () => {
  const disk = memoryDisk();
  const put = (table: string, partition: object, text: string, more = {}) => {
    const file = { ...fileOf(table, partition, text), ...more };
    disk.put(`/tree/${file.path}`, text);
    return file;
  };
  const sound = put("grades", YEAR, "abc.7");
  const renamed = put("grades", { year: "2023" }, "abc", { path: `grades/2023-${"0".repeat(32)}.parquet` });
  const other = put("grades", { year: "2022" }, "ab");
  const broken = put("grades", { year: "2021" }, "?");
  // Of another table, of a part that the table does not have, and of none.
  put("gowns", YEAR, "abc");
  put("grades", {}, "abc");
  put("larc", YEAR, "abc");
  disk.put("/tree/notes.txt", "");
  const read = await readTree(databaseOn(disk), "/tree", disk);
  const byYear = Object.fromEntries(read.map((one) => [one.file.partition.year, one]));
  expect(Object.keys(byYear)).toEqual(["2021", "2022", "2023", "2024"]);
  expect(read).toHaveLength(4);
  expect(byYear["2024"]).toEqual({ file: { ...sound, rows: 7 }, problem: undefined });
  const unread = ({ table, partition, path, sha256 }: typeof sound) => ({
    ...{ table, partition, path, sha256: expect.stringMatching(`^${sha256.slice(0, 32)}$`), rows: 1, bytes: 0 },
  });
  expect(byYear["2023"]).toEqual({
    file: { ...unread(renamed), sha256: "0".repeat(32) },
    problem: "the content has another SHA-256",
  });
  expect(byYear["2022"]).toEqual({ file: unread(other), problem: "column missing: c DATE" });
  expect(byYear["2021"]).toEqual({ file: unread(broken), problem: "cannot be read (no Parquet file)" });
  const failing = { ...disk, digest: () => Promise.reject(Object.assign(new Error("x"), { code: "EIO" })) };
  expect((await readTree(databaseOn(disk), "/tree", failing)).map(({ problem }) => problem)).toEqual(
    Array.from({ length: 4 }, () => "cannot be read (EIO)"),
  );
});
