/** What a Parquet file holds, compared with the contract. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Table } from "../contract/table.ts";
import { nullRow } from "../contract/sql-text.ts";
import { filesOfView, VIEWS } from "../contract/views.ts";
import { emptyTable, type TableName, TABLES } from "../contract/tables.ts";

/** Without Hive partitioning, which would make columns of folders above that are named like `year=2024`. */
export const READ_FILE = "read_parquet($1, hive_partitioning = false)";

/** The differences between a Parquet file's columns and the contract's. */
export async function schemaProblems(connection: DuckDBConnection, table: Table, file: string): Promise<string[]> {
  const has = await columnsIn(connection, `SELECT * FROM ${READ_FILE}`, [file]);
  const wants = await contractColumns(connection, table);
  if (has.length === wants.length && has.every((column, at) => column === wants[at])) return [];
  const missing = wants.filter((column) => !has.includes(column));
  const extra = has.filter((column) => !wants.includes(column));
  return [
    ...missing.map((column) => `column missing: ${column}`),
    ...extra.map((column) => `column not in the contract: ${column}`),
    ...(missing.length + extra.length === 0 ? ["columns in another order than the contract's"] : []),
  ];
}

export async function countRows(connection: DuckDBConnection, file: string): Promise<number> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${READ_FILE}`, [file]);
  return Number(counted.getRowsJS()[0]?.[0]);
}

/** The table of the contract with that name. */
export const tableNamed = (name: string): Table | undefined =>
  Object.hasOwn(TABLES, name) ? TABLES[name as TableName] : undefined;

/** The table, or the view, of which a file with that `table` is. */
export const relationNamed = (table: string): Table | undefined =>
  tableNamed(emptyTable(table) ?? table) ?? VIEWS.find((view) => filesOfView(view) === table);

const contractColumnsOf = new WeakMap<Table, string[]>();

/** The contract's columns as `name type`, with DuckDB's spelling of types. */
async function contractColumns(connection: DuckDBConnection, table: Table): Promise<string[]> {
  const known = contractColumnsOf.get(table);
  if (known) return known;
  const columns = await columnsIn(connection, nullRow(table));
  contractColumnsOf.set(table, columns);
  return columns;
}

async function columnsIn(connection: DuckDBConnection, select: string, values: string[] = []): Promise<string[]> {
  const described = await connection.runAndReadAll(`SELECT column_name, column_type FROM (DESCRIBE ${select})`, values);
  return described.getRowsJson().map((column) => column.join(" "));
}
