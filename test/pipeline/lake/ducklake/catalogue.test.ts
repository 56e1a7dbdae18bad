/** The rows of a frozen DuckLake: every snapshot has the files of its manifest, and nothing is said twice. */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Manifest } from "../../../../pipeline/contract/documents/manifest.ts";
import { duckdbColumns, type Table } from "../../../../pipeline/contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../../../pipeline/contract/tables.ts";
import { COLUMNS, VIEWS } from "../../../../pipeline/contract/views.ts";
import { diskReader } from "../../../../pipeline/disk/disk.ts";
import { readPublished, readEarlier } from "../../../../pipeline/store/published.ts";
import { nameOf } from "../../../../pipeline/store/layout.ts";
import { writeDuckLake } from "../../../../pipeline/lake/ducklake/write.ts";
import { openDatabase } from "../../../../pipeline/store/database.ts";
import { openLakeWorld } from "../lake-world.ts";
import { openCatalogue } from "./catalogue-reader.ts";

const { scratch, publishMarks } = await openLakeWorld();
const artifacts = join(scratch, "artifacts");
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
// The file of 2023 is replaced and comes back, that of 2024 stays, that of 2025 is new and goes.
await publishMarks(artifacts, { years: { 2023: 1, 2024: 1 }, terms: 1 }, at(1));
await publishMarks(artifacts, { years: { 2023: 2, 2024: 1, 2025: 1 }, terms: 2 }, at(2));
await publishMarks(artifacts, { years: { 2023: 1, 2024: 1 }, terms: 3 }, at(3));
const current = await readPublished(artifacts);
const snapshots = await readEarlier(current, diskReader);
const manifests: Manifest[] = snapshots.map(({ manifest }) => manifest);
const base = `${artifacts}/checkouts/`;
const options = { snapshots, base, pathOf: (name: string, file: { path: string }) => `${name}/${file.path}` };
const path = join(scratch, "lake.ducklake");
await writeDuckLake(path, options);
const lake = await openCatalogue(path);
afterAll(() => lake.close());

it("every snapshot is a generation, with its time and its id", async () => {
  const rows = await lake.rows(
    `SELECT snapshot_id::INTEGER AS generation, epoch_ms(snapshot_time) AS at, commit_message AS id
     FROM ducklake_snapshot JOIN ducklake_snapshot_changes USING (snapshot_id) ORDER BY ALL`,
  );
  const expected = manifests.map(({ generation, createdAt, id }) => ({
    generation,
    at: String(Date.parse(createdAt)),
    id,
  }));
  expect(rows).toEqual(expected.toReversed());
});

it.each(manifests)(
  "snapshot $generation has the files of its manifest, and each of them is there",
  async ({ generation, files }) => {
    for (const table of TABLE_NAMES) {
      const listed = await lake.files(table, generation);
      for (const file of listed) expect(existsSync(file.path)).toBe(true);
      const inManifest = files
        .filter((file) => file.table === table)
        .map(({ path, rows, bytes }) => ({ path, rows, bytes }));
      const relative = listed.map((file) => ({ ...file, path: file.path.slice(base.length).replace(/^[^/]+\//, "") }));
      expect(relative.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
        inManifest.sort((a, b) => (a.path < b.path ? -1 : 1)),
      );
    }
  },
);

it("a file has one row for each time that it is there, and the newest generation with it is in its path", async () => {
  const rows = await lake.rows(
    `SELECT f.begin_snapshot::INTEGER AS "begin", f.end_snapshot::INTEGER AS "end", split_part(f.path, '/', 1) AS folder, s.min_value AS year
     FROM ducklake_data_file f JOIN ducklake_file_column_stats s USING (data_file_id, table_id)
     JOIN ducklake_column c USING (column_id, table_id) WHERE c.column_name = 'year' ORDER BY year, "begin"`,
  );
  const [third, second] = manifests.map(nameOf);
  expect(rows).toEqual([
    { begin: 1, end: 2, folder: third, year: "2023" },
    { begin: 2, end: 3, folder: second, year: "2023" },
    { begin: 3, end: null, folder: third, year: "2023" },
    { begin: 1, end: null, folder: third, year: "2024" },
    { begin: 2, end: 3, folder: second, year: "2025" },
  ]);
  const [changes] = await lake.rows<{ text: string }>(
    "SELECT changes_made AS text FROM ducklake_snapshot_changes WHERE snapshot_id = 2",
  );
  const idOf = (name: string) => TABLE_NAMES.findIndex((table) => table === name) + 1;
  const parts = ["inserted_into_table", "deleted_from_table"].flatMap((what) =>
    ["terms", "grades"].map((name) => `${what}:${idOf(name)}`),
  );
  expect(changes?.text.split(",").sort()).toEqual(parts.sort());
});

it("every table has the columns of the contract, nested ones too, with their descriptions", async () => {
  const rows = await lake.rows<{ table: string; name: string; type: string; description: string | null }>(
    `SELECT t.table_name AS "table", c.column_name AS name, c.column_type AS "type", g.value AS description
     FROM ducklake_column c JOIN ducklake_table t USING (table_id)
     LEFT JOIN ducklake_column_tag g ON g.table_id = c.table_id AND g.column_id = c.column_id AND g.key = 'comment'
     WHERE parent_column IS NULL ORDER BY t.table_id, c.column_order`,
  );
  const expected = Object.entries(TABLES).flatMap(([table, { row }]) =>
    Object.keys(row.shape).map((name) => ({ table, name })),
  );
  expect(rows.map(({ table, name }) => ({ table, name }))).toEqual(expected);
  for (const { name, description } of rows) expect([name, description]).toEqual([name, expect.stringMatching(/\S/)]);

  // Put together again, they are the types that DuckDB writes.
  const nested = await lake.rows<Record<"table" | "id" | "parent" | "name" | "type", string>>(
    `SELECT table_name AS "table", column_id AS id, parent_column AS parent, column_name AS name, column_type AS "type"
     FROM ducklake_column JOIN ducklake_table USING (table_id) ORDER BY column_id`,
  );
  for (const [table, { row }] of Object.entries<Table>(TABLES)) {
    const own = nested.filter((column) => column.table === table);
    const typeOf = ({ id, type }: (typeof own)[number]): string => {
      const children = own.filter(({ parent }) => parent === id);
      if (type === "list") return `${typeOf(children[0] as (typeof own)[number])}[]`;
      if (type === "map") return `MAP(${children.map(typeOf).join(", ")})`;
      if (type === "struct") return `STRUCT(${children.map((child) => `"${child.name}" ${typeOf(child)}`).join(", ")})`;
      return DUCKDB[type] ?? type.toUpperCase();
    };
    const columns = own
      .filter(({ parent }) => parent === null)
      .map((column) => ({ name: column.name, type: typeOf(column) }));
    expect(columns).toEqual(duckdbColumns(row.shape));
  }
});

const DUCKDB: Readonly<Record<string, string>> = {
  int32: "INTEGER",
  int64: "BIGINT",
  float64: "DOUBLE",
  timestamptz: "TIMESTAMP WITH TIME ZONE",
};

it("the files' columns are found by the names that DuckDB gives them, at every depth", async () => {
  const wrong = await lake.rows(
    `SELECT c.column_name, m.source_name FROM ducklake_column c
     LEFT JOIN ducklake_name_mapping m ON m.mapping_id = c.table_id AND m.target_field_id = c.column_id
     LEFT JOIN ducklake_column p ON p.table_id = c.table_id AND p.column_id = c.parent_column
     WHERE m.source_name IS DISTINCT FROM if(p.column_type = 'list', 'list', c.column_name) OR m.parent_column IS DISTINCT FROM c.parent_column`,
  );
  expect(wrong).toEqual([]);
});

it("views bind in the lake, whatever the current schema is", async () => {
  const views = await lake.rows<{ name: string; sql: string; dialect: string }>(
    "SELECT view_name AS name, sql, dialect FROM ducklake_view ORDER BY view_id",
  );
  expect(views.map(({ name }) => name)).toEqual([...VIEWS, COLUMNS].map(({ name }) => name));
  await lake.connection.run("ATTACH ':memory:' AS uni");
  for (const name of TABLE_NAMES) {
    const table: Table = TABLES[name];
    const columns = duckdbColumns(table.row.shape).map((column) => `"${column.name}" ${column.type}`);
    await lake.connection.run(`CREATE TABLE uni.${name} (${columns.join(", ")})`);
  }
  for (const { name, sql, dialect } of views) {
    expect(dialect).toBe("duckdb");
    await lake.connection.run(`CREATE VIEW uni.${name} AS ${sql.replaceAll("{DUCKLAKE_CATALOG}.", "uni.")}`);
    if (name !== COLUMNS.name) expect(await lake.rows(`FROM uni.${name}`)).toEqual([]);
  }
  const undescribed = `SELECT c.table_name, c.column_name FROM duckdb_columns() c LEFT JOIN uni.columns d
    ON d."table" = c.table_name AND d."column" = c.column_name WHERE c.database_name = 'uni' AND c.table_name <> 'columns' AND NOT d.description > ''`;
  expect(await lake.rows(undescribed)).toEqual([]);
  expect(await lake.rows('SELECT DISTINCT "table" AS t FROM uni.columns')).toHaveLength(
    TABLE_NAMES.length + VIEWS.length,
  );
});

it("equal snapshots make equal bytes, and nothing is left beside them", async () => {
  const again = join(scratch, "again.ducklake");
  await writeDuckLake(again, { ...options, snapshots: snapshots.toReversed() });
  expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  expect(
    readdirSync(scratch)
      .filter((name) => name.includes(".ducklake"))
      .sort(),
  ).toEqual(["again.ducklake", "lake.ducklake"]);
});

it("a lake that cannot be written is not there, and an older one stays", async () => {
  const before = readFileSync(path);
  await expect(writeDuckLake(join(scratch, "absent", "lake.ducklake"), options)).rejects.toThrow();
  const failing = () => {
    throw new Error("no path");
  };
  await expect(writeDuckLake(path, { ...options, pathOf: failing })).rejects.toThrow("no path");
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("refuses every way to write to it or to collect its files, also in a copy whose mode was changed", async () => {
  expect(statSync(path).mode & 0o777).toBe(0o444);
  const copy = join(scratch, "copy.ducklake");
  copyFileSync(path, copy);
  expect(statSync(copy).mode & 0o777).toBe(0o444);
  chmodSync(copy, 0o644);
  const writer = await openDatabase({ memoryLimit: "200MB", threads: 1, tempFolder: scratch });
  try {
    await writer.connection.run(`ATTACH '${copy}' AS lake`);
    const run = (statement: string) => writer.connection.runAndReadAll(statement);
    const newest = Math.max(...manifests.map(({ generation }) => generation));
    const record = (id: number) => run(`INSERT INTO lake.ducklake_snapshot VALUES (${id}, now(), 1, 99, 99)`);
    await expect(record(newest + 1)).rejects.toThrow("CHECK constraint failed");
    for (const statement of ["FROM", "DELETE FROM"])
      await expect(run(`${statement} lake.ducklake_files_scheduled_for_deletion`)).rejects.toThrow();
    const [compression] = (
      await run("SELECT value FROM lake.ducklake_metadata WHERE key = 'parquet_compression' AND scope IS NULL")
    ).getRowsJson();
    await expect(
      run(`COPY (SELECT 1) TO '${join(scratch, "x.parquet")}' (FORMAT parquet, COMPRESSION '${String(compression)}')`),
    ).rejects.toThrow("Expected compression argument");
  } finally {
    writer.close();
  }
});
