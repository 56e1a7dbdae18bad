/** What another server's manifest says of its files, made our own: nothing of it becomes a path before it was checked. */
import type { BulkFile, BulkManifest } from "../contract/bulk-manifest.ts";
import type { PublishedFile } from "../contract/manifest.ts";
import type { Table } from "../contract/table.ts";
import { TABLES } from "../contract/tables.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { snapshotId } from "../publish/generation.ts";
import { filePath } from "../publish/layout.ts";

/** What is followed, in messages. */
export const ORIGIN = "the followed server";

/** @throws UpstreamBadResponse when a file is not where its partition and hash put it, or the snapshot id is not that of the files */
export function toPublishedFiles({ id, tables }: BulkManifest): PublishedFile[] {
  const files = Object.entries(tables).flatMap(([name, { files }]) => files.map((file) => toPublished(name, file)));
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files) !== id)
    throw new UpstreamBadResponse(ORIGIN, "the snapshot id is not that of the listed files");
  return files;
}

function toPublished(name: string, { path, sha256, rows, bytes, partition }: BulkFile): PublishedFile {
  const table: Table | undefined = Object.hasOwn(TABLES, name) ? TABLES[name as keyof typeof TABLES] : undefined;
  const given = Object.keys(partition);
  const isPlace =
    table !== undefined &&
    given.length === table.partitionedBy.length &&
    table.partitionedBy.every((column) => given.includes(column)) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    /^[0-9a-f]{32}$/.test(hashIn(path)) &&
    sha256.startsWith(hashIn(path)) &&
    path === filePath(name, partition, hashIn(path));
  if (!isPlace) throw new UpstreamBadResponse(ORIGIN, `a file of ${name.slice(0, 40)} is not where it belongs`);
  return { table: name, partition, path, sha256, rows, bytes };
}

const hashIn = (path: string): string => /([0-9a-f]+)\.parquet$/.exec(path)?.[1] ?? "";
