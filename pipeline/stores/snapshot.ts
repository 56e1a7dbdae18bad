/** The snapshot that a store has in service: its bulk manifest, checked. */
import { z } from "zod";
import { bulkManifest, type BulkManifest, derivedIn } from "../contract/documents/bulk-manifest.ts";
import type { DerivedFile, PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { emptyPath, filePath, isDerivedPath } from "../generations/layout.ts";
import { relationNamed, tableNamed } from "../generations/schema.ts";
import { type Identified, snapshotId } from "../generations/snapshot-id.ts";
import { refusal } from "../generations/versions.ts";
import type { Stored, StoreReader } from "./store.ts";

export interface RemoteSnapshot {
  readonly manifest: BulkManifest;
  /** Checked: each path is the one that partition and hash give. */
  readonly files: readonly PublishedFile[];
  /** Checked in the same way. */
  readonly derived: readonly DerivedFile[];
  readonly etag: string | null;
  /** The manifest as it was read. */
  readonly text: string;
}

/** @throws UpstreamBadResponse unless it is a whole manifest of this contract version */
export function parseSnapshot({ content, etag }: Stored, { name }: StoreReader): RemoteSnapshot {
  const text = content.toString();
  const manifest = readManifest(text, name);
  return { manifest, files: toPublishedFiles(manifest, name), derived: toDerived(manifest, name), etag, text };
}

const head = z.object({
  id: z.string(),
  generation: z.int(),
  contract: z.int(),
  source: z.record(z.string(), z.string()),
});
/** What every contract version has. */
export type SnapshotHead = z.infer<typeof head>;

/** Of any contract version. @throws UpstreamBadResponse */
export function parseHead({ content }: Stored, { name }: StoreReader): SnapshotHead {
  const checked = head.safeParse(parseJson(content.toString(), name));
  if (checked.success) return checked.data;
  throw new UpstreamBadResponse(name, "the manifest is damaged");
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamBadResponse(name, "the manifest is not JSON");
  }
}

function readManifest(text: string, name: string): BulkManifest {
  const found = parseJson(text, name);
  const contract = (found as { contract?: unknown } | null)?.contract;
  if (typeof contract === "number" && contract !== CONTRACT_VERSION)
    throw new UpstreamBadResponse(
      name,
      refusal("the snapshot", name, contract) ??
        `it has contract version ${contract}, this server reads ${CONTRACT_VERSION}`,
    );
  const checked = bulkManifest.safeParse(found);
  if (checked.success) return checked.data;
  throw new UpstreamBadResponse(name, `the manifest is damaged at ${checked.error.issues[0]?.path.join(".")}`);
}

/** The key of a file, whose URL in the manifest must be a path on the same store. @throws UpstreamBadResponse */
export function keyOf(manifest: BulkManifest, { table, path }: PublishedFile, { name }: StoreReader): string {
  const listed = [...(manifest.tables[table]?.files ?? []), ...derivedIn(manifest)];
  const url = listed.find((one) => one.path === path)?.url ?? "";
  if (!/^\/(?!\/)/.test(url)) throw new UpstreamBadResponse(name, `the URL of ${path} is not a path on this server`);
  return url.slice(1);
}

function toPublishedFiles({ changesBefore, id, tables }: BulkManifest, store: string): PublishedFile[] {
  const files = Object.entries(tables).flatMap(([table, { files }]) =>
    files.map(({ path, sha256, rows, bytes, partition }) => ({ table, partition, path, sha256, rows, bytes })),
  );
  expectSnapshot({ changesBefore, id, files }, store);
  return files;
}

function toDerived(manifest: BulkManifest, store: string): DerivedFile[] {
  const files = derivedIn(manifest).map(({ table, path, sha256, rows, bytes, partition, madeOf }) => ({
    ...{ table, partition, path, sha256, rows, bytes, madeOf },
  }));
  expectDerived(files, store);
  return files;
}

/** No path is used before it was checked. @throws UpstreamBadResponse when one does not follow from its view or table, and hash */
export function expectDerived(files: readonly DerivedFile[], store: string): void {
  for (const { table, path, partition, sha256 } of files) {
    const hash = hashIn(path);
    const isValid =
      relationNamed(table) !== undefined &&
      sha256.startsWith(hash) &&
      isDerivedPath(path) &&
      [filePath(table, partition, hash), emptyPath(table, hash)].includes(path);
    if (!isValid) throw new UpstreamBadResponse(store, `a file of ${table.slice(0, 40)} has an invalid path`);
  }
}

/** No path is used before it was checked. @throws UpstreamBadResponse when a path does not follow from partition and hash, or the snapshot id from the files */
export function expectSnapshot({ changesBefore, files, id }: Identified, store: string): void {
  for (const file of files) expectPath(file, store);
  if (new Set(files.map(({ path }) => path)).size !== files.length || snapshotId(files, changesBefore) !== id)
    throw new UpstreamBadResponse(store, "the snapshot id is not that of the listed files");
}

function expectPath({ table: name, path, sha256, partition }: PublishedFile, store: string): void {
  const table = tableNamed(name);
  const columns = Object.keys(partition);
  const isValid =
    table !== undefined &&
    columns.length === table.partitionedBy.length &&
    table.partitionedBy.every((column) => columns.includes(column)) &&
    (partition.year === undefined || /^\d{4}$/.test(partition.year)) &&
    /^[0-9a-f]{32}$/.test(hashIn(path)) &&
    sha256.startsWith(hashIn(path)) &&
    path === filePath(name, partition, hashIn(path));
  if (!isValid) throw new UpstreamBadResponse(store, `a file of ${name.slice(0, 40)} has an invalid path`);
}

const hashIn = (path: string): string => /([0-9a-f]{32})\.parquet$/.exec(path)?.[1] ?? "";
