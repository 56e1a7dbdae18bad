/** Reads a generation without its manifest: a path has the table and the partition, and the file's name is the first half of its hash. */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Partition, partition as partitionSchema, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { countRows, schemaProblems, tableNamed } from "./schema.ts";
import type { DiskReader } from "./disk-reader.ts";
import type { DamagedFile } from "./file-check.ts";
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
    if (place) found.push(await readFile(connection, join(folder, path), { path, ...place }, disk));
  }
  return found;
}

interface Place {
  readonly table: Table;
  readonly partition: Partition;
  readonly hash: string;
}

/** `sections/year=2024/quarter=Fall/<32 digits>.parquet`; undefined for anything else. */
function placeOf(path: string): Place | undefined {
  const [name = "", ...parts] = path.split("/");
  const hash = /^([0-9a-f]{32})\.parquet$/.exec(parts.pop() ?? "")?.[1];
  const table = tableNamed(name);
  const pairs = parts.map((part) => part.split("=") as [string, string]);
  const partition = partitionSchema.safeParse(Object.fromEntries(pairs));
  const isWhole = table?.partitionedBy.join() === pairs.map(([key]) => key).join();
  return table && hash && isWhole && partition.success ? { table, hash, partition: partition.data } : undefined;
}

async function readFile(
  connection: DuckDBConnection,
  at: string,
  { path, table, partition, hash }: Place & { path: string },
  disk: DiskReader,
) {
  // At least one row, so that an empty result does not count as complete.
  const unknown: PublishedFile = { table: table.name, partition, path, sha256: hash, rows: 1, bytes: 0 };
  try {
    const { sha256, bytes } = await disk.digest(at);
    if (!sha256.startsWith(hash)) return { file: unknown, problem: "the content has another SHA-256" };
    const [problem] = await schemaProblems(connection, table, at);
    if (problem !== undefined) return { file: unknown, problem };
    return { file: { ...unknown, sha256, rows: await countRows(connection, at), bytes }, problem: undefined };
  } catch (error) {
    return { file: unknown, problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? "no Parquet file"})` };
  }
}
