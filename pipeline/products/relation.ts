/** Parquet files as relations for SQL. Paths are our own, below the data and artifacts folders. */
import { duckdbColumns, type RowOf, type Table } from "../contract/table.ts";
import type { Database } from "../publish/database.ts";

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The rows of the files; no rows, but the table's columns, where there is no file. */
export function relation(table: Table, paths: readonly string[]): string {
  if (paths.length === 0) {
    const columns = duckdbColumns(table.row.shape).map(({ name, type }) => `NULL::${type} AS "${name}"`);
    return `(SELECT ${columns.join(", ")} WHERE false)`;
  }
  return `read_parquet([${paths.map(literal).join(", ")}], hive_partitioning = false)`;
}

/** Rows as objects, by way of JSON: for tables of thousands of rows, not for sections. */
export async function readRows<T extends Table>(
  { connection }: Database,
  table: T,
  paths: readonly string[],
): Promise<RowOf<T>[]> {
  const reader = await connection.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM ${relation(table, paths)} AS r`);
  const [texts = []] = reader.getColumnsJS();
  return (texts as string[]).map((text) => JSON.parse(text) as RowOf<T>);
}
