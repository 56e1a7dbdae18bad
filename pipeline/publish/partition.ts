/** Writes one partition: a SELECT becomes a sorted, audited Parquet file in the staging folder, named by its hash. */
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { DuckDBConnection, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { Partition, PublishedFile } from "../contract/documents/manifest.ts";
import { duckdbColumns, type Table } from "../contract/table.ts";
import { GuardError } from "../errors.ts";
import { auditFile } from "./audit.ts";
import type { Disk } from "../disk/disk.ts";
import { filePath, partitionName } from "../store/layout.ts";
import { quoteIdentifier, readParquet } from "../contract/sql-text.ts";

/**
 * Small enough that a filter by department reads few row groups of a term; a multiple of DuckDB's vector of 2048 rows.
 */
export const ROWS_PER_GROUP = 8192;

export interface PartitionRequest {
  readonly table: Table;
  readonly partition: Partition;
  /** Trusted SQL that selects the table's columns, in any order; parameters are `$1`, `$2`, … */
  readonly select: string;
  readonly values?: readonly DuckDBValue[];
  /** Types of values that DuckDB cannot infer, such as lists. */
  readonly types?: readonly (DuckDBType | undefined)[];
  /** Writes a file without rows; otherwise an empty result is an error. */
  readonly allowEmpty?: boolean;
}

/** Filters a written file; the result is below the same folder. */
export type Keeping = (
  connection: DuckDBConnection,
  staging: StagingFolder,
  written: PublishedFile,
) => Promise<PublishedFile>;

export interface StagingFolder {
  readonly disk: Disk;
  readonly filesFolder: string;
  /** Removes data from each written partition that must not be published. */
  readonly withoutForgotten?: Keeping | undefined;
}

/**
 * Writes a partition. Equal rows give equal bytes regardless of their order, so that an unchanged partition keeps its
 * name. The returned path is relative to `filesFolder`, and later to the snapshot.
 * @throws GuardError when the result does not pass its audit; then no file is left **Output:** one file of
 *   `request.table`.
 */
export async function writePartition(
  connection: DuckDBConnection,
  staging: StagingFolder,
  request: PartitionRequest,
): Promise<PublishedFile> {
  const { table, partition, select, values = [] } = request;
  const place = `${table.name} ${partitionName(partition)}`.trim();
  checkPartition(table, partition);
  const written = await writeSorted(connection, staging, {
    table: table.name,
    partition,
    select: `SELECT ${columnsOf(table)} FROM (${select})`,
    orderBy: orderOf(table),
    values,
    types: typesOf(request),
    rowsPerGroup: table.rowsPerGroup ?? ROWS_PER_GROUP,
    async count(file) {
      const rows = await auditFile(connection, table, partition, file);
      if (rows === 0 && !request.allowEmpty) throw new GuardError(`${place}: no rows`);
      return rows;
    },
  });
  return staging.withoutForgotten?.(connection, staging, written) ?? written;
}

/**
 * Adds rows to a published file without sorting or auditing the existing ones, for tables that only grow at their end.
 * @param fresh a written partition whose rows come after those of `earlier`
 */
export async function appendPartition(
  connection: DuckDBConnection,
  staging: StagingFolder,
  table: Table,
  { earlier, fresh }: Record<"earlier" | "fresh", { readonly file: PublishedFile; readonly path: string }>,
): Promise<PublishedFile> {
  const expected = earlier.file.rows + fresh.file.rows;
  return writeSorted(connection, staging, {
    table: table.name,
    partition: fresh.file.partition,
    select: `FROM ${readParquet([earlier.path])} UNION ALL FROM ${readParquet([fresh.path])}`,
    rowsPerGroup: table.rowsPerGroup ?? ROWS_PER_GROUP,
    async count(file) {
      const counted = await connection.runAndReadAll("SELECT count(*)::INTEGER FROM read_parquet($1)", [file]);
      if (counted.getRowsJS()[0]?.[0] !== expected) throw new GuardError(`${table.name}: not ${expected} rows`);
      return expected;
    },
  });
}

export interface SortedFile {
  readonly table: string;
  readonly partition: Partition;
  /** Selects the file's columns in their order; parameters are `$1`, `$2`, … */
  readonly select: string;
  /** Absent when the rows come in order. */
  readonly orderBy?: string;
  readonly values?: readonly DuckDBValue[];
  readonly types?: DuckDBType[];
  readonly rowsPerGroup: number;
  /** Audits the written file and returns its number of rows. @throws when it must not be published */
  readonly count: (file: string) => Promise<number>;
}

/** Writes a file and names it by its hash. When that fails, no file is left. */
export async function writeSorted(
  connection: DuckDBConnection,
  { disk, filesFolder }: StagingFolder,
  { table, partition, select, orderBy, values = [], types = [], rowsPerGroup, count }: SortedFile,
): Promise<PublishedFile> {
  await disk.mkdir(filesFolder);
  const written = join(filesFolder, `${randomUUID()}.parquet`);
  try {
    await disk.writtenBy(written, () =>
      connection.run(
        `COPY (${select}${orderBy === undefined ? "" : ` ORDER BY ${orderBy}`}) TO $${values.length + 1}
         (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsPerGroup}, USE_TMP_FILE false)`,
        [...values, written],
        types,
      ),
    );
    const rows = await count(written);
    await disk.syncFile(written);
    const { sha256, bytes } = await disk.digest(written);
    const path = filePath(table, partition, sha256);
    await disk.mkdir(dirname(join(filesFolder, path)));
    await disk.rename(written, join(filesFolder, path));
    return { table, partition, path, sha256, rows, bytes };
  } catch (error) {
    // A leftover is removed by the next run.
    await disk.rm(written).catch(() => undefined);
    throw error;
  }
}

function checkPartition(table: Table, partition: Partition): void {
  const keys = Object.entries(partition).filter(([, value]) => value !== undefined);
  const complete = keys.length === table.partitionedBy.length && keys.every(([n]) => table.partitionedBy.includes(n));
  if (!complete) {
    throw new GuardError(
      `${table.name}: partitioned by (${table.partitionedBy.join(", ")}), not by (${keys.map(([n]) => n).join(", ")})`,
    );
  }
  if (partition.year !== undefined && !/^\d{4}$/.test(partition.year)) {
    throw new GuardError(`${table.name}: no year: ${partition.year}`);
  }
  if (partition.month !== undefined && !/^\d{4}-\d{2}$/.test(partition.month)) {
    throw new GuardError(`${table.name}: no month: ${partition.month}`);
  }
}

/** The binding infers a type that is undefined here, though its declaration does not allow that. */
function typesOf({ types = [] }: PartitionRequest): DuckDBType[] {
  return [...types] as DuckDBType[];
}

/** Selects a table's columns in their order and types, from a relation that has them in any. */
export function columnsOf(table: Table): string {
  return duckdbColumns(table.row.shape)
    .map(({ name, type }) => `CAST(${quoteIdentifier(name)} AS ${type}) AS ${quoteIdentifier(name)}`)
    .join(", ");
}

/** The published order, made total by the key or by all columns. */
export function orderOf(table: Table): string {
  if (table.key.length === 0) return "ALL";
  const names = [...new Set([...table.sortedBy, ...table.key])];
  return names.map((name) => (name in table.row.shape ? quoteIdentifier(name) : name)).join(", ");
}
