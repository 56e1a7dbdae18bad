/**
 * A landing file: a memo and rows of contract tables as lines of JSON. It is renamed into place, so that a file under
 * its final name is always complete, and its first line has a hash of the others, so that a damaged one is noticed.
 */
import { createHash, randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { nullRow, quoteIdentifier, quoteLiteral } from "../contract/sql-text.ts";
import { duckdbColumns, duckdbType, type RowOf, type Table } from "../contract/table.ts";
import { readRegularFile } from "../regular-files.ts";

/** Prefix of unfinished files; the next run removes those of a killed run. */
export const UNSEALED = ".unsealed-";

/** The rows of a table in a landing file, which may have several tables. */
export interface LandedTable {
  readonly table: Table;
  readonly rows: readonly object[];
}

/**
 * Writes a file atomically.
 * @param memo a JSON value for `readMemo`
 */
export async function writeLandingFile(path: string, tables: readonly LandedTable[], memo: unknown): Promise<void> {
  const lines = tables
    .flatMap(({ table, rows }) => rows.map((row) => `${JSON.stringify({ [table.name]: row })}\n`))
    .join("");
  await sealFile(path, Buffer.from(`${JSON.stringify({ memo, sha256: digest(lines) })}\n${lines}`));
}

/** Writes a file atomically: to a temporary name, synced, then renamed. */
export async function sealFile(path: string, bytes: Uint8Array): Promise<void> {
  const unsealed = join(dirname(path), `${UNSEALED}${process.pid}-${randomBytes(6).toString("hex")}`);
  try {
    const file = await open(unsealed, "wx");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unsealed, path);
  } catch (error) {
    await rm(unsealed, { force: true });
    throw error;
  }
}

/** Reads the memo of a sealed file. @throws when the file is missing or damaged */
export const readMemo = async (path: string): Promise<unknown> => (await readLines(path)).memo;

/** Reads a table's rows in a sealed file. @throws when the file is missing or damaged */
export async function readLandingRows<T extends Table>(path: string, table: T): Promise<RowOf<T>[]> {
  const { lines } = await readLines(path);
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as Record<string, unknown>)[table.name])
    .filter((row): row is RowOf<T> => row !== undefined);
}

async function readLines(path: string): Promise<{ memo: unknown; lines: string }> {
  const text = (await readRegularFile(path)).toString();
  const end = text.indexOf("\n") + 1;
  const { memo, sha256 } = JSON.parse(text.slice(0, end)) as { memo: unknown; sha256: unknown };
  const lines = text.slice(end);
  if (sha256 !== digest(lines)) throw new Error(`${path} is damaged`);
  return { memo, lines };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The rows of a table in sealed files, as a relation. Paths are inlined, as in `readParquet`. */
export function landedRows(table: Table, paths: readonly string[]): string {
  if (paths.length === 0) return `(${nullRow(table)} WHERE false)`;
  const row = quoteIdentifier(table.name);
  const columns = duckdbColumns(table.row.shape).map(({ name }) => `${row}.${quoteIdentifier(name)}`);
  return `(SELECT ${columns.join(", ")}
    FROM read_json([${paths.map(quoteLiteral).join(", ")}], format = 'newline_delimited', hive_partitioning = false,
      columns = {${quoteLiteral(table.name)}: ${quoteLiteral(duckdbType(table.row))}})
    WHERE ${row} IS NOT NULL)`;
}
