/**
 * SQL text from this program's names, constants and file paths; values from outside are bound instead, nested ones as
 * JSON.
 */
import { duckdbColumns, type Table } from "./table.ts";

/** `"name"` */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `'text'` */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * The rows of at least one file, as a relation. Paths are inlined, because read_parquet needs its list before
 * parameters are bound.
 */
export function readParquet(paths: readonly string[], options = ""): string {
  // Partition columns are in the files; from the folder names, a year would become a number.
  return `read_parquet([${paths.map(quoteLiteral).join(", ")}], hive_partitioning = false${options && `, ${options}`})`;
}

/** The rows of a table's files; without files, no rows of the table's columns. */
export function tableRows(table: Table, paths: readonly string[]): string {
  return paths.length === 0 ? `(${nullRow(table)} WHERE false)` : readParquet(paths);
}

/** A query that returns a row of a table's columns, all NULL. */
export function nullRow(table: Table): string {
  const columns = duckdbColumns(table.row.shape).map(({ name, type }) => `NULL::${type} AS ${quoteIdentifier(name)}`);
  return `SELECT ${columns.join(", ")}`;
}

/** DuckDB rejects a lone surrogate: it becomes U+FFFD, as in UTF-8 encoders. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\ud")) return text;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? Buffer.from(part).toString() : part,
  );
}
