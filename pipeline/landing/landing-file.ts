/** A landing file: rows of one contract table as Parquet, sealed by rename, so that a file under its final name is always whole. */
import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import parquet, { type FieldDeclaration, type OutputStream, type ParquetSchema } from "parquetjs-lite";
import { landingFields, type LandingField, type RowOf, type Table } from "../contract/table.ts";
import { shred } from "./shred.ts";

/** Files that begin so are unfinished: a run that was killed leaves them, and the next one removes them. */
export const UNSEALED = ".unsealed-";

/** The key under which a file carries what its writer wants to know again. */
const MEMO = "memo";

const schemas = new WeakMap<Table, ParquetSchema>();

function schemaOf(table: Table): ParquetSchema {
  let schema = schemas.get(table);
  if (!schema)
    schemas.set(table, (schema = new parquet.ParquetSchema(withoutStatistics(landingFields(table.row.shape)))));
  return schema;
}

/** Nobody reads the statistics of a landing file, and they cost a fifth of its writing. */
const withoutStatistics = (fields: Record<string, LandingField>): Record<string, FieldDeclaration> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { fields: children, ...field }]) => [
      name,
      { ...field, statistics: false as const, ...(children ? { fields: withoutStatistics(children) } : {}) },
    ]),
  );

/**
 * Writes and seals a file: when this returns, the rows are on the disk under that name; when it fails or the process dies, they are not.
 * @param memo a JSON value that `readMemo` gives back
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

/** Writes bytes beside their place, to the disk, and then renames them into it. */
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
 * @throws when the file is not there, or is no whole landing file
 */
export async function readMemo(path: string): Promise<unknown> {
  const reader = await parquet.ParquetReader.openBuffer(await readFile(path));
  try {
    return JSON.parse(reader.getMetadata()[MEMO] ?? "null");
  } finally {
    await reader.close();
  }
}

/** All rows of a sealed file, empty lists and nulls left out where the row's type has them. */
export async function readLandingRows(path: string): Promise<object[]> {
  const reader = await parquet.ParquetReader.openBuffer(await readFile(path));
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
  const pieces: Uint8Array[] = [];
  const collect: OutputStream = {
    write(piece, done) {
      pieces.push(piece);
      done();
    },
    end: (done) => done(),
  };
  const writer = await parquet.ParquetWriter.openStream(schema, collect, { pageIndex: false });
  writer.setMetadata(MEMO, JSON.stringify(memo));
  if (rows.length > 0) writer.rowBuffer = shred(schema, rows);
  await writer.close();
  return Buffer.concat(pieces);
}
