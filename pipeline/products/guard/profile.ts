import type { DuckDBConnection } from "@duckdb/node-api";
import { columnMeasures } from "../../contract/measures.ts";
import type { Table } from "../../contract/table.ts";

export interface Profile {
  readonly rows: number;
  /** By measure: rows with a value, and distinct values. */
  readonly columns: ReadonlyMap<string, { readonly filled: number; readonly distinct: number }>;
}

/** Measures the rows of a relation that has the table's columns, in one statement. */
export async function profileOf(connection: DuckDBConnection, table: Table, from: string): Promise<Profile> {
  const measures = columnMeasures(table);
  const counts = measures.flatMap(({ filled, value }) => [
    `count(*) FILTER (WHERE ${filled})`,
    // A hash, because distinct nested values are counted slowly.
    `count(DISTINCT hash(${value}))`,
  ]);
  const reader = await connection.runAndReadAll(`SELECT ${["count(*)", ...counts].join(", ")} FROM ${from}`);
  const [rows = 0, ...found] = (reader.getRowsJS()[0] ?? []).map(Number);
  return {
    rows,
    columns: new Map(
      measures.map(({ name }, i) => [name, { filled: found[2 * i] ?? 0, distinct: found[2 * i + 1] ?? 0 }]),
    ),
  };
}
