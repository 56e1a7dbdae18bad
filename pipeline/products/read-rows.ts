import { tableRows } from "../contract/sql-text.ts";
import type { RowOf, Table } from "../contract/table.ts";
import type { Database } from "../publish/database.ts";

/** Rows as objects, by way of JSON: for tables of thousands of rows, not for sections. */
export async function readRows<T extends Table>(
  { connection }: Database,
  table: T,
  paths: readonly string[],
): Promise<RowOf<T>[]> {
  const reader = await connection.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM ${tableRows(table, paths)} AS r`);
  const [texts = []] = reader.getColumnsJS();
  return (texts as string[]).map((text) => JSON.parse(text) as RowOf<T>);
}
