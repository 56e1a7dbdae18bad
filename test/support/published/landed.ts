/** Reads landing files as publishing does: through DuckDB. */
import { DuckDBInstance, listValue } from "@duckdb/node-api";

let database: DuckDBInstance | undefined;

/** All rows of some landing files; an empty list of places stands for none, since Parquet has no null lists here. */
export async function readLanded(paths: readonly string[]): Promise<Record<string, unknown>[]> {
  if (paths.length === 0) return [];
  database ??= await DuckDBInstance.create();
  const connection = await database.connect();
  try {
    const result = await connection.runAndReadAll("select * from read_parquet($1)", [listValue([...paths])]);
    return result.getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
  }
}
