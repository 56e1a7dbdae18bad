/** The rows of small tables as objects, read from published files and written to staged ones. */
import type { Partition, PublishedFile } from "../contract/documents/manifest.ts";
import { tableRows } from "../contract/sql-text.ts";
import type { RowOf, Table } from "../contract/table.ts";
import type { Database } from "../store/database.ts";
import { writePartition } from "../publish/partition.ts";
import { loadRows } from "../publish/rows.ts";
import type { TableName } from "../contract/tables.ts";
import type { RunContext } from "./context.ts";
import { soundVersion } from "./guard/references.ts";

/** Reads rows by way of JSON: for tables of thousands of rows, not for sections. */
export async function readRows<T extends Table>(
  { connection }: Database,
  table: T,
  paths: readonly string[],
): Promise<RowOf<T>[]> {
  const reader = await connection.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM ${tableRows(table, paths)} AS r`);
  const [texts = []] = reader.getColumnsJS();
  return (texts as string[]).map((text) => JSON.parse(text) as RowOf<T>);
}

/** The rows of a table in a single file: the published version, or, if it is damaged, the newest sound retained one. */
export async function readSoundRows<T extends Table>(context: RunContext, table: T): Promise<RowOf<T>[]> {
  const sound = await soundVersion(context, { table: table.name as TableName, partition: {} });
  return readRows(context.database, table, sound ? [sound.path] : []);
}

/**
 * **Output:** a file of the table, for the caller to put into the staging.
 * @throws GuardError when a row does not match the contract
 */
export async function writeRows<T extends Table>(
  { database: { connection }, staging }: Pick<RunContext, "database" | "staging">,
  table: T,
  rows: Iterable<RowOf<T>>,
  partition: Partition = {},
): Promise<PublishedFile> {
  const select = `FROM ${await loadRows(connection, table, rows)}`;
  return writePartition(connection, staging, { table, partition, select });
}
