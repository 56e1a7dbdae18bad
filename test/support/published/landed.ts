/** Reads landing files as publishing does: through DuckDB. */
import { DuckDBInstance } from "@duckdb/node-api";
import type { Table } from "../../../pipeline/contract/table.ts";
import { landedRows } from "../../../pipeline/landing/landing-file.ts";

let database: DuckDBInstance | undefined;

/** All rows of a table in some landing files. */
export async function readLanded(table: Table, paths: readonly string[]): Promise<Record<string, unknown>[]> {
  database ??= await DuckDBInstance.create();
  const connection = await database.connect();
  try {
    return (await connection.runAndReadAll(`FROM ${landedRows(table, paths)}`)).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}
