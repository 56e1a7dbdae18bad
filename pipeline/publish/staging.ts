/**
 * The next snapshot while a run builds it, not visible to readers, and its publication in the artifacts folder: objects,
 * manifest and pointer, then the checkout.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  byPath,
  type EarlierSnapshot,
  samePart,
  samePartition,
  isMade,
  type Manifest,
  type Partition,
  type PublishedFile,
} from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION, type TableName } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { assertLink, ensureCheckout, ensureManifest, makeCheckout } from "../store/checkout.ts";
import { artifactsStore } from "../store/folder.ts";
import { layoutOf } from "../store/layout.ts";
import { type Base, isPublished, lacksData, previousOf } from "../store/open.ts";
import { retainedAfter, type StoredPointer } from "../store/pointer.ts";
import { type LocatedFile, type LocatedSnapshot, publish } from "../store/publish.ts";
import { type PublishedSnapshot, listPublished, type Publication } from "../store/published.ts";
import { contentId, type Identified, nextSnapshot, snapshotId } from "../store/snapshot-id.ts";
import type { Keeping, StagingFolder } from "./partition.ts";

/** A snapshot that new versions are compared with. `createdAt` is absent where no manifest records it. */
export interface Before extends Identified, Pick<Manifest, "source"> {
  readonly createdAt?: string;
}

export interface Staging extends StagingFolder {
  /** Removed at the end of the run. */
  readonly folder: string;
  /** DuckDB's spill folder. */
  readonly tempFolder: string;
  readonly base: PublishedSnapshot | undefined;
  /** Returns the snapshot that this run builds on: that of the base, or a later one that was found. */
  before(): Before | undefined;
  goOnFrom(later: Before): void;
  /** The files of the next snapshot, with lost ones of the base: new files are compared with their row counts. */
  files(): readonly PublishedFile[];
  find(table: TableName, partition: Partition): PublishedFile | undefined;
  /** Absolute paths of a table's sound files, or of one partition's: in the base's folder or in the staging folder. */
  paths(table: TableName, partition?: Partition): string[];
  /** Returns the path of a file of the base, or of one that was staged or restored, whether or not it exists. */
  pathOf(file: PublishedFile): string;
  /** Lost files that were not replaced yet. Nothing is published while there are any. */
  lost(): readonly PublishedFile[];
  isSound(file: PublishedFile): boolean;
  /** Adds a published file that the base does not have, as a lost one. */
  expect(file: PublishedFile): void;
  /** Replaces the partition's file of the base. */
  put(file: PublishedFile): void;
  /** Works as `put`, for a file below `filesFolder` that comes from elsewhere: a backup, another snapshot. */
  putCopy(connection: DuckDBConnection, file: PublishedFile): Promise<void>;
  remove(table: TableName, partition: Partition): void;
  /** Replaces all files of the table. */
  replaceTable(table: string, files: readonly PublishedFile[]): void;
  /**
   * Returns the id of the next snapshot, before this run's changes are recorded; undefined when nothing changed, so
   * that nothing would be published.
   */
  nextId(): string | undefined;
  /** Publishes unless nothing changed. Call it once. */
  publish(options: PublishOptions): Promise<Publication>;
  /** Removes the staging folder. Never fails: the next run removes leftovers. */
  discard(): Promise<void>;
}

/** Keeps data that was taken down out of a staging folder. */
export interface Keeper {
  readonly withoutForgotten: Keeping;
  /** The mark of the next snapshot (`Manifest.forgotten`). */
  readonly mark: string;
}

/**
 * Every partition of the base's tables is carried over until it is replaced or removed. Derived files are added last
 * (`derive.ts`). Nothing is written yet.
 */
export function createStaging(artifacts: string, base: Base, disk: Disk = nodeDisk, keeper?: Keeper): Staging {
  const folder = join(layoutOf(artifacts).staging, `run-${randomUUID()}`);
  const filesFolder = join(folder, "files");
  const { published } = base;
  let previous: Before | undefined = published?.manifest;
  let next: Pick<Manifest, "id" | "changesBefore"> | undefined;
  const unsound = new Set(base.lost.map(({ file }) => file));
  const carried = published?.manifest.files.filter((file) => !unsound.has(file)) ?? [];
  let files: readonly PublishedFile[] = published?.manifest.files.filter((file) => !isMade(file)) ?? [];
  const lost = () => files.filter((file) => unsound.has(file));
  /** An unchanged partition stays the base's file, which snapshots share on disk. */
  const sharedWithBase = (file: PublishedFile) =>
    carried.find((old) => old.sha256 === file.sha256 && old.madeOf === file.madeOf && samePart(old, file)) ?? file;
  const without = (table: string, partition: Partition) =>
    files.filter((file) => file.table !== table || !samePartition(file.partition, partition));
  const put = (file: PublishedFile) => void (files = [...without(file.table, file.partition), sharedWithBase(file)]);
  const pathOf = (file: PublishedFile) =>
    join(published && carried.includes(file) ? published.folder : filesFolder, file.path);

  return {
    disk,
    folder,
    filesFolder,
    withoutForgotten: keeper?.withoutForgotten,
    tempFolder: join(folder, "temp"),
    base: published,
    before: () => previous,
    goOnFrom: (later) => void (previous = later),
    files: () => files,
    find: (table, partition) => files.find((file) => file.table === table && samePartition(file.partition, partition)),
    paths: (table, partition) =>
      files
        .filter((file) => file.table === table && (!partition || samePartition(file.partition, partition)))
        .filter((file) => !unsound.has(file))
        .map(pathOf),
    pathOf,
    lost,
    isSound: (file) => !unsound.has(file),
    expect(file) {
      unsound.add(file);
      files = [...without(file.table, file.partition), file];
    },
    put,
    async putCopy(connection, file) {
      const left = (await keeper?.withoutForgotten(connection, { disk, filesFolder }, file)) ?? file;
      if (left.rows > 0 || file.rows === 0) put(left);
      else files = without(file.table, file.partition);
    },
    remove(table, partition) {
      files = without(table, partition);
    },
    replaceTable(table, replacement) {
      files = [...files.filter((file) => file.table !== table), ...replacement.map(sharedWithBase)];
    },
    nextId() {
      next = nextSnapshot(previous, files, files);
      return isPublished(base, next.id) ? undefined : next.id;
    },
    async publish(options) {
      const [first, ...more] = lost();
      if (first)
        throw new GuardError(`${first.path} is lost${more.length > 0 ? `, and ${more.length} more files are` : ""}`);
      const now = files.map((file) => ({ file, at: pathOf(file) }));
      next ??= nextSnapshot(previous, files);
      const forgotten = keeper?.mark;
      return publishFiles({ artifacts, folder, disk, base, next, forgotten, files: now }, options);
    },
    discard: () => disk.rm(folder).catch(() => undefined),
  };
}

export interface PublishOptions {
  readonly source: Readonly<Record<string, string>>;
  readonly now: Date;
  /** Publishes the snapshot elsewhere before it is in service here. Nothing is published here when it throws. */
  readonly publishFirst?: (snapshot: LocatedSnapshot) => Promise<void>;
  /** Throws when the lock was taken over. Called before each visible step. */
  readonly assertHeld?: () => Promise<void>;
}

export interface Staged {
  readonly artifacts: string;
  readonly folder: string;
  readonly disk: Disk;
  readonly base: Base;
  /** The snapshot of an older contract that these files carry over: its time and take-downs are kept. */
  readonly migrated?: PublishedSnapshot;
  /** The next snapshot's id; by default derived from the base. */
  readonly next?: Pick<Manifest, "id" | "changesBefore">;
  /** The mark of the list of take-downs, where no base has one. */
  readonly forgotten?: string | undefined;
  /** The next run fetches again what is not here. */
  readonly files: readonly LocatedFile[];
}

/**
 * Publishes the files as the next snapshot. After a kill at any step the old snapshot is current or the new one, and
 * the next run makes the checkout that is missing.
 */
export async function publishFiles(staged: Staged, options: PublishOptions): Promise<Publication> {
  const { artifacts, base, disk, folder, migrated } = staged;
  const files = staged.files.toSorted((a, b) => byPath(a.file, b.file));
  if (files.length === 0) throw new GuardError("nothing to publish: no table has a file");
  const { id, changesBefore } = identify(staged);
  if (base.published) await ensureManifest(base.published, folder, disk);
  if (base.published && isPublished(base, id)) {
    await ensureCheckout(base.published, folder, disk);
    return { id, published: base.published, changed: false };
  }
  // Files that are carried over keep their mark.
  const carried = migrated?.manifest ?? base.published?.manifest;
  const { forgotten, forgottenAt } = carried ?? { forgotten: staged.forgotten };
  const [newest] = await listPublished(artifacts, disk);
  const prepared: Manifest = {
    contract: CONTRACT_VERSION,
    id,
    contentId: contentId(files.map(({ file }) => file)),
    generation: Math.max(newest?.generation ?? 0, migrated?.manifest.generation ?? 0) + 1,
    createdAt: migrated?.manifest.createdAt ?? options.now.toISOString(),
    source: { ...options.source },
    changesBefore,
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    files: files.map(({ file }) => file),
  };
  await assertLink(artifacts, disk);
  const paths = new Map(files.map(({ at, file }) => [file.path, at]));
  await options.publishFirst?.({ manifest: prepared, pathOf: (key) => paths.get(key) });
  const previous = previousOf(base);
  const retained = earlierSnapshots(staged, previous, options);
  const manifest = await publish(artifactsStore(artifacts, disk), {
    manifest: prepared,
    etag: base.etag,
    present: presentPaths(staged),
    pathOf: (key) => paths.get(key),
    retained,
    ...(options.assertHeld ? { assertHeld: options.assertHeld } : {}),
  });
  const published = { folder: artifacts, manifest, retained };
  await makeCheckout(artifacts, manifest, join(folder, "checkout"), disk);
  return { id, published, changed: true };
}

/**
 * Returns objects that need not be added: sound objects of the base, and those that the next run has to fetch again.
 */
function presentPaths({ base: { published, lost }, files }: Staged): ReadonlySet<string> {
  const lostPaths = new Set(lost.map(({ file }) => file.path));
  const sound = (published?.manifest.files ?? []).filter(({ path }) => !lostPaths.has(path));
  const due = files.filter(({ at }) => at === undefined).map(({ file }) => file);
  return new Set([...sound, ...due].map(({ path }) => path));
}

function identify({ base, files, migrated, next }: Staged): Pick<Manifest, "id" | "changesBefore"> {
  const listed = files.map(({ file }) => file);
  if (migrated) return { id: snapshotId(listed, null), changesBefore: null };
  return next ?? nextSnapshot(base.published?.manifest, listed);
}

/** The base and the snapshots before it, newest first. A base that lacks data is not offered to anyone. */
function earlierSnapshots(
  { base, migrated }: Staged,
  previous: StoredPointer | undefined,
  { now }: PublishOptions,
): readonly EarlierSnapshot[] {
  const replaced = migrated ? { snapshot: migrated.manifest, retained: [...migrated.retained] } : previous;
  // A migrated snapshot has the time of its original, which was served until now.
  const all = retainedAfter(replaced, now.toISOString());
  return !migrated && lacksData(base) ? all.slice(1) : all;
}
