/** The next generation while a run builds it, not visible to readers. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  samePart,
  samePartition,
  isMade,
  type Manifest,
  type Partition,
  type PublishedFile,
} from "../contract/documents/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { type Base, isPublished } from "../store/open.ts";
import type { Generation } from "../store/published.ts";
import { type Identified, nextSnapshot } from "../store/snapshot-id.ts";
import { layoutOf } from "../store/layout.ts";
import type { Keeping, StagingFolder } from "./partition.ts";
import { type PublishOptions, publishFiles } from "./publication.ts";
import type { Publication } from "../store/published.ts";

/** A snapshot that new versions are compared with. `createdAt` is absent where no manifest records it. */
export interface Before extends Identified, Pick<Manifest, "source"> {
  readonly createdAt?: string;
}

export interface Staging extends StagingFolder {
  /** Removed at the end of the run. */
  readonly folder: string;
  /** DuckDB's spill folder. */
  readonly tempFolder: string;
  readonly base: Generation | undefined;
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
  /** Works as `put`, for a file below `filesFolder` that comes from elsewhere: a backup, another generation. */
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
  /** The mark of the next generation (`Manifest.forgotten`). */
  readonly mark: string;
}

/**
 * Every partition of the base's tables is carried over until it is replaced or removed. Derived files are added last
 * (`derive.ts`). Nothing is written yet.
 */
export function createStaging(artifacts: string, base: Base, disk: Disk = nodeDisk, keeper?: Keeper): Staging {
  const folder = join(layoutOf(artifacts).staging, `run-${randomUUID()}`);
  const filesFolder = join(folder, "files");
  const { generation } = base;
  let previous: Before | undefined = generation?.manifest;
  let next: Pick<Manifest, "id" | "changesBefore"> | undefined;
  const unsound = new Set(base.lost.map(({ file }) => file));
  const carried = generation?.manifest.files.filter((file) => !unsound.has(file)) ?? [];
  let files: readonly PublishedFile[] = generation?.manifest.files.filter((file) => !isMade(file)) ?? [];
  const lost = () => files.filter((file) => unsound.has(file));
  /** An unchanged partition stays the base's file, which generations share on disk. */
  const sharedWithBase = (file: PublishedFile) =>
    carried.find((old) => old.sha256 === file.sha256 && old.madeOf === file.madeOf && samePart(old, file)) ?? file;
  const without = (table: string, partition: Partition) =>
    files.filter((file) => file.table !== table || !samePartition(file.partition, partition));
  const put = (file: PublishedFile) => void (files = [...without(file.table, file.partition), sharedWithBase(file)]);
  const pathOf = (file: PublishedFile) =>
    join(generation && carried.includes(file) ? generation.folder : filesFolder, file.path);

  return {
    disk,
    folder,
    filesFolder,
    withoutForgotten: keeper?.withoutForgotten,
    tempFolder: join(folder, "temp"),
    base: generation,
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
