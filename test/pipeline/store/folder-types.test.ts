/** Readers of a table's folder get the types that its files have, whatever the library makes of folder names. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Partition } from "../../../pipeline/contract/documents/manifest.ts";
import { nullRow } from "../../../pipeline/contract/sql-text.ts";
import { duckdbColumns, type Table } from "../../../pipeline/contract/table.ts";
import { TABLE_NAMES, TABLES } from "../../../pipeline/contract/tables.ts";
import { nodeDisk } from "../../../pipeline/disk/disk.ts";
import { writePartition } from "../../../pipeline/publish/partition.ts";
import { scratchDatabase, scratchFolder } from "../publish/scratch.ts";

const { connection } = await scratchDatabase();
const filesFolder = scratchFolder();

const PARTITIONS = [
  { year: "2023", quarter: "Winter", month: "2023-01" },
  { year: "2024", quarter: "Fall", month: "2024-09" },
] as const;

async function typesIn(folder: string, options: string): Promise<string[]> {
  const read = await connection.runAndReadAll(`DESCRIBE FROM read_parquet('${folder}/**/*.parquet'${options})`);
  return read.getRowObjectsJson().map(({ column_name, column_type }) => `${column_name} ${column_type}`);
}

test.each(TABLE_NAMES)("%s, with hive partitioning, without, and by default", async (name) => {
  const table: Table = TABLES[name];
  for (const values of PARTITIONS) {
    const partition = Object.fromEntries(
      Object.entries(values).filter(([column]) => table.partitionedBy.includes(column)),
    ) as Partition;
    const select = `${nullRow(table)} LIMIT 0`;
    await writePartition(connection, { disk: nodeDisk, filesFolder }, { table, partition, select, allowEmpty: true });
  }
  const folder = join(filesFolder, name);
  expect(readdirSync(folder, { recursive: true }).filter((path) => String(path).includes("="))).toEqual([]);
  const types = await typesIn(folder, ", hive_partitioning = false");
  expect(types.map((type) => type.split(" ")[0])).toEqual(duckdbColumns(table.row.shape).map((column) => column.name));
  for (const options of [", hive_partitioning = true", ""]) expect(await typesIn(folder, options)).toEqual(types);
});
