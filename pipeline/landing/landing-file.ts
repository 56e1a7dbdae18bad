/**
 * A landing file: rows of a contract table as Parquet, renamed into place, so that a file under its final name is
 * always complete.
 */
import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import parquet, { type FieldDeclaration, type OutputStream, type ParquetSchema } from "parquetjs-lite";
import { landingFields, type LandingField, type RowOf, type Table } from "../contract/table.ts";
import { readRegularFile } from "../regular-files.ts";
import { shred } from "./shred.ts";

/** Prefix of unfinished files; the next run removes those of a killed run. */
export const UNSEALED = ".unsealed-";

/** The key of the memo in the Parquet metadata. */
const MEMO = "memo";

const schemas = new WeakMap<Table, ParquetSchema>();

function schemaOf(table: Table): ParquetSchema {
  let schema = schemas.get(table);
  if (!schema)
    schemas.set(table, (schema = new parquet.ParquetSchema(withoutStatistics(landingFields(table.row.shape)))));
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

/**
 * Writes a file atomically.
 * @param memo a JSON value for `readMemo`
 */
export async function writeLandingFile<T extends Table>(
  path: string,
  table: T,
  rows: readonly RowOf<T>[],
  memo: unknown = null,
): Promise<void> {
  const bytes = await toParquet(table, rows as readonly object[], memo);
  await sealFile(path, bytes);
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

/**
 * The memo of a sealed file.
 * @throws when the file is missing or not a complete landing file
 */
export async function readMemo(path: string): Promise<unknown> {
  const reader = await parquet.ParquetReader.openBuffer(await readRegularFile(path));
  try {
    return JSON.parse(reader.getMetadata()[MEMO] ?? "null");
  } finally {
    await reader.close();
  }
}

/** All rows of a sealed file; empty lists and nulls are absent properties. */
export async function readLandingRows(path: string): Promise<object[]> {
  const reader = await parquet.ParquetReader.openBuffer(await readRegularFile(path));
  try {
    const cursor = reader.getCursor();
    const rows: object[] = [];
    for (let row = await cursor.next(); row; row = await cursor.next()) rows.push(row);
    return rows;
  } finally {
    await reader.close();
  }
}

async function toParquet(table: Table, rows: readonly object[], memo: unknown): Promise<Buffer> {
  const schema = schemaOf(table);
  const chunks: Uint8Array[] = [];
  const collect: OutputStream = {
    write(chunk, done) {
      chunks.push(chunk);
      done();
    },
    end: (done) => done(),
  };
  const writer = await parquet.ParquetWriter.openStream(schema, collect, { pageIndex: false });
  writer.setMetadata(MEMO, JSON.stringify(memo));
  if (rows.length > 0) writer.rowBuffer = shred(schema, rows);
  await writer.close();
  return Buffer.concat(chunks);
}
