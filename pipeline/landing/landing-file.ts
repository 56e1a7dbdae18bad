/**
 * A landing file: rows of contract tables as Parquet, with a memo beside it. Both are renamed into place, the memo last:
 * it seals the file, and has its hash, so that a damaged one is noticed. A row is JSON text in the column of its table:
 * in a small file, a column for each of its values takes longer to describe than to store.
 */
import { createHash, randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import parquet, { type OutputStream } from "parquetjs-lite";
import { jsonText, nullRow, quoteIdentifier, readParquet } from "../contract/sql-text.ts";
import { duckdbType, type RowOf, type Table } from "../contract/table.ts";
import { readRegularFile } from "../regular-files.ts";

/** Prefix of unfinished files; the next run removes those of a killed run. */
export const UNSEALED = ".unsealed-";

/** The ending of a file's memo. */
export const MEMO = ".memo";

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
  const bytes = await toParquet(tables);
  await sealFile(path, bytes);
  await sealFile(`${path}${MEMO}`, Buffer.from(`${JSON.stringify({ memo, sha256: digest(bytes) })}\n`));
}

/** Moves a sealed file. After a kill in between it is unsealed in both places. */
export async function moveLandingFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await rename(`${from}${MEMO}`, `${to}${MEMO}`);
}

/** Writes a file atomically: to a temporary name, then renamed. What a power failure tears, its reader notices. */
export async function sealFile(path: string, bytes: Uint8Array): Promise<void> {
  const unsealed = join(dirname(path), `${UNSEALED}${process.pid}-${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(unsealed, bytes, { flag: "wx" });
    await rename(unsealed, path);
  } catch (error) {
    await rm(unsealed, { force: true });
    throw error;
  }
}

/** Reads the memo of a sealed file. @throws when the file is missing or damaged */
export async function readMemo(path: string): Promise<unknown> {
  const text = (await readRegularFile(`${path}${MEMO}`)).toString();
  const { memo, sha256 } = JSON.parse(text) as { memo: unknown; sha256: unknown };
  if (sha256 !== digest(await readRegularFile(path))) throw new Error(`${path} is damaged`);
  return memo;
}

/** Reads a table's rows in a sealed file. */
export async function readLandingRows<T extends Table>(path: string, table: T): Promise<RowOf<T>[]> {
  const reader = await parquet.ParquetReader.openBuffer(await readRegularFile(path));
  try {
    const cursor = reader.getCursor();
    const rows: RowOf<T>[] = [];
    for (let row = await cursor.next(); row; row = await cursor.next()) {
      const text = (row as Record<string, string | undefined>)[table.name];
      if (text !== undefined) rows.push(JSON.parse(text) as RowOf<T>);
    }
    return rows;
  } finally {
    await reader.close();
  }
}

/** The rows of a table in sealed files, as a relation. Paths are inlined, as in `readParquet`. */
export function landedRows(table: Table, paths: readonly string[]): string {
  if (paths.length === 0) return `(${nullRow(table)} WHERE false)`;
  const text = quoteIdentifier(table.name);
  return `(SELECT unnest(row) FROM (
    SELECT ${text}::JSON::${duckdbType(table.row)} AS row FROM ${readParquet(paths)} WHERE ${text} IS NOT NULL))`;
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A row of the file has a row of one of its tables. */
async function toParquet(tables: readonly LandedTable[]): Promise<Buffer> {
  const columns = tables.map(
    ({ table }) => [table.name, { type: "UTF8", optional: true, compression: "GZIP" }] as const,
  );
  const chunks: Uint8Array[] = [];
  const collect: OutputStream = {
    write(chunk, done) {
      chunks.push(chunk);
      done();
    },
    end: (done) => done(),
  };
  const schema = new parquet.ParquetSchema(Object.fromEntries(columns));
  const writer = await parquet.ParquetWriter.openStream(schema, collect, { pageIndex: false });
  for (const { table, rows } of tables) for (const row of rows) await writer.appendRow({ [table.name]: jsonText(row) });
  await writer.close();
  return Buffer.concat(chunks);
}
