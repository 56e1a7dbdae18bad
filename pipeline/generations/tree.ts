/** Reads a generation without its manifest: a path has the table and the partition, and the file's name is the first half of its hash. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { countRows, schemaProblems, tableNamed } from "./schema.ts";
import type { DiskReader } from "./disk-reader.ts";
import type { DamagedFile } from "./file-check.ts";
import { parseFilePath } from "./layout.ts";
import { filesBelow } from "./verify.ts";

/** Every published file of the folder, with its problem when it is damaged. */
export async function readTree(
  connection: DuckDBConnection,
  folder: string,
  disk: DiskReader,
): Promise<(Omit<DamagedFile, "problem"> & { readonly problem: string | undefined })[]> {
  const found = [];
  for (const path of await filesBelow(disk, folder)) {
    const place = placeOf(path);
    if (place) found.push(await readFile(connection, join(folder, path), place, disk));
  }
  return found;
}

interface Place {
  readonly table: Table;
  /** What the path says; the rest is not known yet. */
  readonly file: PublishedFile;
}

function placeOf(path: string): Place | undefined {
  const parsed = parseFilePath(path);
  const table = parsed && tableNamed(parsed.table);
  const isWhole = table?.partitionedBy.join() === Object.keys(parsed?.partition ?? {}).join();
  // At least one row, so that an empty result does not count as complete.
  return table && isWhole ? { table, file: { ...parsed, path, rows: 1, bytes: 0 } } : undefined;
}

async function readFile(connection: DuckDBConnection, at: string, { table, file: unknown }: Place, disk: DiskReader) {
  try {
    const { sha256, bytes } = await disk.digest(at);
    if (!sha256.startsWith(unknown.sha256)) return { file: unknown, problem: "the content has another SHA-256" };
    const [problem] = await schemaProblems(connection, table, at);
    if (problem !== undefined) return { file: unknown, problem };
    return { file: { ...unknown, sha256, rows: await countRows(connection, at), bytes }, problem: undefined };
  } catch (error) {
    return { file: unknown, problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? "no Parquet file"})` };
  }
}
