/** One partition: a SELECT → a sorted, audited Parquet file in the run's staging folder, named by its content. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { Partition, PublishedFile } from "../contract/manifest.ts";
import { duckdbColumns, type Table } from "../contract/table.ts";
import { GuardError } from "../errors.ts";
import { auditFile } from "./audit.ts";
import type { Disk } from "./disk.ts";
import { filePath, partitionName } from "./layout.ts";
import { quoted } from "./sql-text.ts";

/** Small enough that a filter by department reads few groups of a term; a multiple of DuckDB's vector of 2048 rows. */
const ROWS_PER_GROUP = 8192;

/** 128 bits of the SHA-256: enough that no two contents share a name. */
const HASH_DIGITS = 32;

export interface PartitionRequest {
  readonly table: Table;
  readonly partition: Partition;
  /** SQL text of our own that delivers exactly the table's columns, in any order; parameters are `$1`, `$2`, … */
  readonly select: string;
  readonly values?: readonly DuckDBValue[];
  /** Types of the values that do not speak for themselves, such as lists. */
  readonly types?: readonly (DuckDBType | undefined)[];
  /** Publish the partition though it holds nothing: then a file without rows says so. Otherwise nothing is an error. */
  readonly allowEmpty?: boolean;
}

/** Where a run's files wait until they are published. */
export interface StagingRoom {
  readonly disk: Disk;
  readonly filesFolder: string;
}

/**
 * Writes one partition. Equal rows give equal bytes whatever their order, so that an unchanged partition keeps its name.
 * The returned path is relative, as in the manifest; the file stands below `room.filesFolder` until it is published.
 * Throws GuardError when the result does not pass its audit; then no file is left.
 * **Output:** one file of `request.table`.
 */
export async function writePartition(
  connection: DuckDBConnection,
  room: StagingRoom,
  request: PartitionRequest,
): Promise<PublishedFile> {
  const { table, partition, select, values = [] } = request;
  const { disk, filesFolder } = room;
  const place = `${table.name} ${partitionName(partition)}`.trim();
  checkPartition(table, partition);
  await checkColumns(connection, request, place);

  await disk.mkdir(filesFolder);
  const written = join(filesFolder, `${randomUUID()}.parquet`);
  try {
    await disk.writtenBy(written, () =>
      connection.run(
        `COPY (SELECT ${columnsOf(table)} FROM (${select}) ORDER BY ${orderOf(table)}) TO $${values.length + 1}
         (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${table.rowsPerGroup ?? ROWS_PER_GROUP}, USE_TMP_FILE false)`,
        [...values, written],
        typesOf(request),
      ),
    );
    const rows = await auditFile(connection, table, partition, written);
    if (rows === 0 && !request.allowEmpty) throw new GuardError(`${place}: no rows`);
    await disk.syncFile(written);
    const { sha256, bytes } = await disk.digest(written);
    const path = filePath(table.name, partition, sha256.slice(0, HASH_DIGITS));
    await disk.mkdir(dirname(join(filesFolder, path)));
    await disk.rename(written, join(filesFolder, path));
    return { table: table.name, partition, path, sha256, rows, bytes };
  } catch (error) {
    // The cause matters, not whether the leftover went: the next run collects it.
    await disk.rm(written).catch(() => undefined);
    throw error;
  }
}

function checkPartition(table: Table, partition: Partition): void {
  const given = Object.entries(partition).filter(([, value]) => value !== undefined);
  const complete = given.length === table.partitionedBy.length && given.every(([n]) => table.partitionedBy.includes(n));
  if (!complete) {
    throw new GuardError(
      `${table.name}: partitioned by (${table.partitionedBy.join(", ")}), not by (${given.map(([n]) => n).join(", ")})`,
    );
  }
  if (partition.year !== undefined && !/^\d{4}$/.test(partition.year)) {
    throw new GuardError(`${table.name}: no year: ${partition.year}`);
  }
  if (partition.month !== undefined && !/^\d{4}-\d{2}$/.test(partition.month)) {
    throw new GuardError(`${table.name}: no month: ${partition.month}`);
  }
}

/** Names the columns that a SELECT lacks or has too many of, before anything is written. */
async function checkColumns(connection: DuckDBConnection, request: PartitionRequest, place: string): Promise<void> {
  const { table, select, values = [] } = request;
  const empty = await connection.run(`SELECT * FROM (${select}) LIMIT 0`, [...values], typesOf(request));
  const has = empty.columnNames();
  const wants = Object.keys(table.row.shape);
  const problems = [
    ...wants.filter((name) => !has.includes(name)).map((name) => `column missing: ${name}`),
    ...has.filter((name) => !wants.includes(name)).map((name) => `column not in the contract: ${name}`),
  ];
  if (problems.length > 0) throw new GuardError(`${place}: ${problems.join("; ")}`);
}

/** The binding takes a hole in this list as "see the value", though its type does not say so. */
function typesOf({ types = [] }: PartitionRequest): DuckDBType[] {
  return [...types] as DuckDBType[];
}

function columnsOf(table: Table): string {
  return duckdbColumns(table.row.shape)
    .map(({ name, type }) => `CAST(${quoted(name)} AS ${type}) AS ${quoted(name)}`)
    .join(", ");
}

/** The published order, made total by the key; without a key every column counts. */
function orderOf(table: Table): string {
  if (table.key.length === 0) return "ALL";
  const names = [...new Set([...table.sortedBy, ...table.key])];
  return names.map((name) => (name in table.row.shape ? quoted(name) : name)).join(", ");
}
