/** Validates the file list of another server's manifest: no path is used before it was checked. */
import type { BulkFile, BulkManifest } from "../contract/documents/bulk-manifest.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import type { Table } from "../contract/table.ts";
import { TABLES } from "../contract/tables.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { snapshotId } from "../generations/snapshot-id.ts";
import { filePath } from "../generations/layout.ts";

/** The name of the followed server in messages. */
export const ORIGIN = "the followed server";

/** @throws UpstreamBadResponse when a path does not follow from partition and hash, or the snapshot id from the files */
export function toPublishedFiles({ changesBefore, id, tables }: BulkManifest): PublishedFile[] {
  const files = Object.entries(tables).flatMap(([name, { files }]) => files.map((file) => toPublished(name, file)));
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files, changesBefore) !== id)
    throw new UpstreamBadResponse(ORIGIN, "the snapshot id is not that of the listed files");
  return files;
}

function toPublished(name: string, { path, sha256, rows, bytes, partition }: BulkFile): PublishedFile {
  const table: Table | undefined = Object.hasOwn(TABLES, name) ? TABLES[name as keyof typeof TABLES] : undefined;
  const columns = Object.keys(partition);
  const isValid =
    table !== undefined &&
    columns.length === table.partitionedBy.length &&
    table.partitionedBy.every((column) => columns.includes(column)) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    /^[0-9a-f]{32}$/.test(hashIn(path)) &&
    sha256.startsWith(hashIn(path)) &&
    path === filePath(name, partition, hashIn(path));
  if (!isValid) throw new UpstreamBadResponse(ORIGIN, `a file of ${name.slice(0, 40)} has an invalid path`);
  return { table: name, partition, path, sha256, rows, bytes };
}

const hashIn = (path: string): string => /([0-9a-f]+)\.parquet$/.exec(path)?.[1] ?? "";
