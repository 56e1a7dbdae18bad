/**
 * A landing file: rows of contract tables as Parquet, with a memo beside it. Both are renamed into place, the memo last:
 * it seals the file, and has its hash, so that a damaged one is noticed.
 */
import { createHash, randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import parquet, { type FieldDeclaration, type OutputStream, type ParquetSchema } from "parquetjs-lite";
import { nullRow, quoteIdentifier, quoteLiteral } from "../contract/sql-text.ts";
import { duckdbColumns, landingFields, type LandingField, type RowOf, type Table } from "../contract/table.ts";
import { readRegularFile } from "../regular-files.ts";
import { shred } from "./shred.ts";

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
export async function readMemo(path: string): Promise<unknown> {
  const text = (await readRegularFile(`${path}${MEMO}`)).toString();
  const { memo, sha256 } = JSON.parse(text) as { memo: unknown; sha256: unknown };
  if (sha256 !== digest(await readRegularFile(path))) throw new Error(`${path} is damaged`);
  return memo;
}

/** Reads a table's rows in a sealed file; empty lists and nulls are absent properties. */
export async function readLandingRows<T extends Table>(path: string, table: T): Promise<RowOf<T>[]> {
  const reader = await parquet.ParquetReader.openBuffer(await readRegularFile(path));
  try {
    const cursor = reader.getCursor();
    const rows: RowOf<T>[] = [];
    for (let row = await cursor.next(); row; row = await cursor.next()) {
      const ofTable = (row as Record<string, RowOf<T> | undefined>)[table.name];
      if (ofTable) rows.push(ofTable);
    }
    return rows;
  } finally {
    await reader.close();
  }
}

/** The rows of a table in sealed files, as a relation. Paths are inlined, as in `readParquet`. */
export function landedRows(table: Table, paths: readonly string[]): string {
  if (paths.length === 0) return `(${nullRow(table)} WHERE false)`;
  const row = quoteIdentifier(table.name);
  const columns = duckdbColumns(table.row.shape).map(({ name }) => `${row}.${quoteIdentifier(name)}`);
  return `(SELECT ${columns.join(", ")}
    FROM read_parquet([${paths.map(quoteLiteral).join(", ")}], hive_partitioning = false)
    WHERE ${row} IS NOT NULL)`;
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A row of the file has a row of one of its tables. */
async function toParquet(tables: readonly LandedTable[]): Promise<Buffer> {
  const schema = schemaOf(tables.map(({ table }) => table));
  const rows = tables.flatMap((landed) => landed.rows.map((row) => ({ [landed.table.name]: row })));
  const chunks: Uint8Array[] = [];
  const collect: OutputStream = {
    write(chunk, done) {
      chunks.push(chunk);
      done();
    },
    end: (done) => done(),
  };
  const writer = await parquet.ParquetWriter.openStream(schema, collect, { pageIndex: false });
  if (rows.length > 0) writer.rowBuffer = shred(schema, rows);
  await writer.close();
  return Buffer.concat(chunks);
}

const schemas = new Map<string, ParquetSchema>();

function schemaOf(tables: readonly Table[]): ParquetSchema {
  const names = tables.map(({ name }) => name).join();
  let schema = schemas.get(names);
  if (!schema) {
    const fields = tables.map(({ name, row }) => [name, { fields: landingFields(row.shape), optional: true }] as const);
    schemas.set(names, (schema = new parquet.ParquetSchema(withoutStatistics(Object.fromEntries(fields)))));
  }
  return schema;
}

/** Statistics are never read and account for a fifth of the writing time. */
const withoutStatistics = (fields: Record<string, LandingField>): Record<string, FieldDeclaration> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { fields: children, ...field }]) => [
      name,
      { ...field, statistics: false as const, ...(children ? { fields: withoutStatistics(children) } : {}) },
    ]),
  );
