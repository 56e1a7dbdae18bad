/**
 * Copies the current snapshot of another store into the artifacts folder. A replica copies in a loop, and a run copies
 * from the place that it publishes to when another machine has published there.
 */
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import type { Table } from "../contract/table.ts";
import { openDatabase } from "./database.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { UpstreamBadResponse } from "../errors.ts";
import type { Log } from "../log.ts";
import { ensureCheckout, makeCheckout } from "./checkout.ts";
import { collectArtifacts } from "./collect-artifacts.ts";
import { copy, type CopyOptions as ObjectOptions } from "./copy.ts";
import { isSound } from "./file-check.ts";
import { artifactsStore } from "./folder.ts";
import { readFreshness, writeFreshness } from "./freshness.ts";
import { layoutOf } from "./layout.ts";
import { assertSnapshot } from "./manifest.ts";
import { type Base, isPublished, previousOf, readBase } from "./open.ts";
import { guardFolders, lockArtifacts } from "./own-folders.ts";
import { retainedAfter, type StoredPointer } from "./pointer.ts";
import type { Publication } from "./published.ts";
import { countRows, relationNamed, schemaProblems } from "./schema.ts";
import type { Store, StoreReader } from "./store.ts";
import { readPublishedVersions } from "./versions.ts";

export interface CopyOptions {
  readonly artifacts: string;
  /** The store to copy from. */
  readonly from: StoreReader;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly log: Log;
  /** The retention of earlier snapshots here. */
  readonly retain: Retention;
  /** True when earlier snapshots are those of the other store, whose objects are fetched on request. */
  readonly isReplica?: boolean;
  /** Runs `collect` while nothing else is added to the artifacts folder. */
  readonly alone?: Alone;
  readonly disk?: Disk;
  /** Identifies the list of take-downs on this machine, where there is one. */
  readonly mark?: string | undefined;
}

export type Alone = <T>(collect: () => Promise<T>) => Promise<T>;

/** Partial downloads are kept here for the next attempt. */
const PARTIAL = "copying";

/**
 * Copies the snapshot of this pointer. Nothing is published unless every object matches its hash and the contract.
 * **Output:** the same snapshot, and its freshness.
 * @throws LockedError while another run is active; UpstreamError when the snapshot cannot be copied
 */
export async function copySnapshot(pointer: StoredPointer, options: CopyOptions): Promise<Publication> {
  const lock = await lockArtifacts({ artifactsDir: options.artifacts });
  try {
    return await copyLocked(pointer, options, () => lock.assertHeld());
  } finally {
    await lock.release();
  }
}

/** Works as copySnapshot, for a run that holds the lock. */
export async function copyLocked(
  { freshness, retained, snapshot }: StoredPointer,
  options: CopyOptions,
  assertHeld: () => Promise<void>,
): Promise<Publication> {
  const { alone = (work) => work(), artifacts, disk = nodeDisk, from, isReplica, log, mark, now, retain } = options;
  assertSnapshot(snapshot, from.name);
  // Refuses to replace data of a newer contract version.
  await readPublishedVersions(artifacts, disk);
  const base = await readBase(artifacts, disk);
  const folder = join(layoutOf(artifacts).staging, PARTIAL);
  await guardFolders([folder]);
  let { published } = base;
  const isThere = isPublished(base, snapshot.id) && snapshot.forgotten === published?.manifest.forgotten;
  if (published && isThere) await ensureCheckout(published, folder, disk);
  else {
    const previous = previousOf(base);
    // A snapshot that is copied again because of damage does not count as its own predecessor.
    const earlier = isReplica
      ? retained
      : retainedAfter(previous, snapshot.createdAt).filter(({ id }) => id !== snapshot.id);
    const manifest = await copyChecked(from, artifactsStore(artifacts, disk), {
      ...{ manifest: snapshot, previous, etag: base.etag, folder, disk, signal: options.signal, mark, assertHeld },
      present: await soundObjects(artifacts, snapshot.files, base, disk),
      retained: earlier,
    });
    published = { folder: artifacts, manifest, retained: earlier };
    await makeCheckout(artifacts, manifest, join(folder, "checkout"), disk);
  }
  await assertHeld();
  if (freshness && JSON.stringify(await readFreshness(artifacts)) !== JSON.stringify(freshness))
    await writeFreshness(artifacts, freshness, disk);
  // Data that was taken down at the origin must not stay in an earlier snapshot, even one that a killed copy left.
  if (!isThere || snapshot.forgotten !== undefined) {
    await disk.rm(folder);
    const { problems } = await alone(() => collectArtifacts(artifacts, { now: now(), retain, disk }));
    for (const problem of problems) log.warn("an old snapshot cannot be removed", { problem });
  }
  return { id: snapshot.id, published, changed: !isThere };
}

/** Copies a snapshot whose objects all have the contract's columns and the announced number of rows. @throws as copy */
export async function copyChecked(from: StoreReader, to: Store, options: ObjectOptions): Promise<Manifest> {
  const { disk, folder } = options;
  await disk.mkdir(folder);
  const { connection, close } = await openDatabase({ memoryLimit: "400MB", threads: 1, tempFolder: folder });
  try {
    return await copy(from, to, { ...options, check: (file, path) => expectTable(connection, from, file, path) });
  } finally {
    close();
  }
}

/** Returns the objects of these files that are in the artifacts folder already, and sound. */
export async function soundObjects(
  artifacts: string,
  files: readonly PublishedFile[],
  { published, lost }: Pick<Base, "published" | "lost">,
  disk: Disk,
): Promise<ReadonlySet<string>> {
  const lostPaths = new Set(lost.map(({ file }) => file.path));
  // Objects of the base were compared with their hashes.
  const sound = new Set(
    (published?.manifest.files ?? []).map(({ path }) => path).filter((path) => !lostPaths.has(path)),
  );
  for (const file of files)
    if (!sound.has(file.path) && (await isSound(join(artifacts, file.path), file, disk))) sound.add(file.path);
  return sound;
}

/** @throws UpstreamBadResponse unless the file has the contract's columns and the announced number of rows */
export async function expectTable(
  connection: DuckDBConnection,
  { name }: StoreReader,
  { path, rows, table }: PublishedFile,
  localPath: string,
): Promise<void> {
  const problems = await schemaProblems(connection, relationNamed(table) as Table, localPath).catch(() => [NO_PARQUET]);
  if (problems.length > 0) throw new UpstreamBadResponse(name, `${path}: ${problems.slice(0, 3).join("; ")}`);
  const counted = await countRows(connection, localPath).catch(() => undefined);
  if (counted === undefined) throw new UpstreamBadResponse(name, `${path}: ${NO_PARQUET}`);
  if (counted !== rows) throw new UpstreamBadResponse(name, `${path} does not have ${rows} rows`);
}

const NO_PARQUET = "not a Parquet file";
