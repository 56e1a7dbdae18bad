/** A run in progress: what the next generation will hold, file by file, before anybody can see it. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Partition, PublishedFile } from "../contract/manifest.ts";
import type { TableName } from "../contract/tables.ts";
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
  /** What the next generation would hold now. */
  files(): readonly PublishedFile[];
  /** The file that holds a partition now, in the base or newly written. */
  find(table: TableName, partition: Partition): PublishedFile | undefined;
  /** Absolute paths of a table's files, or of one partition's, as they are now: carried over ones in the base's folder, new ones in the staging folder. */
  paths(table: TableName, partition?: Partition): string[];
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
  const carried = generation?.manifest.files ?? [];
  let files: readonly PublishedFile[] = carried;
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
        .map(pathOf),
    put(file) {
      files = [...without(file.table, file.partition), settled(file)];
    },
    remove(table, partition) {
      files = without(table, partition);
    },
    replaceTable(table, replacement) {
      files = [...files.filter((file) => file.table !== table), ...replacement.map(settled)];
    },
    publish: (options) =>
      publishFiles(
        { artifacts, folder, disk, base, files: files.map((file) => ({ file, at: pathOf(file) })) },
        options,
      ),
    discard: () => disk.rm(folder).catch(() => undefined),
  };
}
