/** Loads rows of the contract into a DuckDB table. */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { duckdbColumns, duckdbType, type RowOf, type Table } from "../contract/table.ts";
import { GuardError } from "../errors.ts";
import { jsonText, quoteIdentifier } from "../contract/sql-text.ts";

/** Bounds the JSON text of one statement. */
const ROWS_PER_BATCH = 2000;

/**
 * Creates or replaces the temporary table `as`; returns its quoted name.
 * @throws GuardError that names the first row that does not match the contract
 */
export async function loadRows<T extends Table>(
  connection: DuckDBConnection,
  table: T,
  rows: Iterable<RowOf<T>> | AsyncIterable<RowOf<T>>,
  as = `rows_${table.name}`,
): Promise<string> {
  const name = quoteIdentifier(as);
  const columns = duckdbColumns(table.row.shape).map((column) => `${quoteIdentifier(column.name)} ${column.type}`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${columns.join(", ")})`);
  const insert = await connection.prepare(
    `INSERT INTO ${name} SELECT unnest(row) FROM (SELECT unnest($1::JSON::${duckdbType(table.row)}[]) AS row)`,
  );
  const shape = table.row.strict();
  try {
    let batch: RowOf<T>[] = [];
    for await (const row of rows) {
      const checked = shape.safeParse(row);
      if (!checked.success) {
        const { path, message } = checked.error.issues[0] ?? { path: [], message: "" };
        throw new GuardError(`${[table.name, ...path].join(".")}: ${message} in ${rowText(row)}`);
      }
      batch.push(row);
      if (batch.length === ROWS_PER_BATCH) {
        await insertBatch(insert, batch);
        batch = [];
      }
    }
    if (batch.length > 0) await insertBatch(insert, batch);
  } finally {
    insert.destroySync();
  }
  return name;
}

async function insertBatch(insert: DuckDBPreparedStatement, batch: readonly unknown[]): Promise<void> {
  insert.bindVarchar(1, jsonText(batch));
  await insert.run();
}

function rowText(row: unknown): string {
  const text = JSON.stringify(row) ?? String(row);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
