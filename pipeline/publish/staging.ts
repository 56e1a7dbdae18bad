/** A run in progress: what the next generation will hold, file by file, before anybody can see it. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Partition, PublishedFile } from "../contract/manifest.ts";
import type { TableName } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import type { Base, Generation } from "./generation.ts";
import { layoutOf, samePartition } from "./layout.ts";
import type { StagingRoom } from "./partition.ts";
import { type Publication, type PublishOptions, publishFiles } from "./publication.ts";

export interface Staging extends StagingRoom {
  /** The run's own folder: removed with everything in it when the run is over. */
  readonly folder: string;
  /** For DuckDB to spill into. */
  readonly tempFolder: string;
  /** What the run started from. */
  readonly base: Generation | undefined;
  /** What the next generation has to hold now, damaged files of the base included: their rows are still what new ones are measured by. */
  files(): readonly PublishedFile[];
  /** The file that holds a partition now, in the base or newly written. */
  find(table: TableName, partition: Partition): PublishedFile | undefined;
  /**
   * Absolute paths of a table's files, or of one partition's, as they are now: carried over ones in the base's folder, new ones in the staging folder.
   * A damaged file is not among them.
   */
  paths(table: TableName, partition?: Partition): string[];
  /** Files that were published and are damaged, as long as nothing took their place. Nothing is published while there are any. */
  damaged(): readonly PublishedFile[];
  /** Whether a file of the base is what its manifest says. */
  isSound(file: PublishedFile): boolean;
  /** A partition that was published besides those of the base, and is not to be had as it was: from here on it is a damaged file. */
  expect(file: PublishedFile): void;
  /** Takes a written partition in the place of the one that was carried over. */
  put(file: PublishedFile): void;
  /** Leaves a partition out of the next generation. */
  remove(table: TableName, partition: Partition): void;
  /** These files are the whole table: no other partition of it is carried over. */
  replaceTable(table: TableName, files: readonly PublishedFile[]): void;
  /** Publishes everything at once, or nothing where nothing changed. Once only. */
  publish(options: PublishOptions): Promise<Publication>;
  /** Removes the run's folder; what was published stays. Never fails: what cannot be removed is collected later. */
  discard(): Promise<void>;
}

/** Starts a run from what readBase found: every partition is carried over until it is replaced or removed. Nothing is written yet. */
export function createStaging(artifacts: string, base: Base, disk: Disk = nodeDisk): Staging {
  const folder = join(layoutOf(artifacts).staging, `run-${randomUUID()}`);
  const filesFolder = join(folder, "files");
  const { generation } = base;
  const unsound = new Set(base.damaged.map(({ file }) => file));
  let files: readonly PublishedFile[] = generation?.manifest.files ?? [];
  const carried = files.filter((file) => !unsound.has(file));
  const damaged = () => files.filter((file) => unsound.has(file));
  /** A partition that came out as it was stays the base's file: generations share it on disk. */
  const settled = (file: PublishedFile) =>
    carried.find(
      (old) => old.table === file.table && old.sha256 === file.sha256 && samePartition(old.partition, file.partition),
    ) ?? file;
  const without = (table: string, partition: Partition) =>
    files.filter((file) => file.table !== table || !samePartition(file.partition, partition));
  const pathOf = (file: PublishedFile) =>
    join(generation && carried.includes(file) ? generation.folder : filesFolder, file.path);

  return {
    disk,
    folder,
    filesFolder,
    tempFolder: join(folder, "temp"),
    base: generation,
    files: () => files,
    find: (table, partition) => files.find((file) => file.table === table && samePartition(file.partition, partition)),
    paths: (table, partition) =>
      files
        .filter((file) => file.table === table && (!partition || samePartition(file.partition, partition)))
        .filter((file) => !unsound.has(file))
        .map(pathOf),
    damaged,
    isSound: (file) => !unsound.has(file),
    expect(file) {
      unsound.add(file);
      files = [...without(file.table, file.partition), file];
    },
    put(file) {
      files = [...without(file.table, file.partition), settled(file)];
    },
    remove(table, partition) {
      files = without(table, partition);
    },
    replaceTable(table, replacement) {
      files = [...files.filter((file) => file.table !== table), ...replacement.map(settled)];
    },
    async publish(options) {
      const [first, ...more] = damaged();
      if (first)
        throw new GuardError(`${first.path} is damaged${more.length > 0 ? `, and ${more.length} more files are` : ""}`);
      const now = files.map((file) => ({ file, at: pathOf(file) }));
      return publishFiles({ artifacts, folder, disk, base, files: now }, options);
    },
    discard: () => disk.rm(folder).catch(() => undefined),
  };
}
