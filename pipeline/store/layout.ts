/** Where everything is in the artifacts folder, and the names of objects, which are the same in every store. */
import { join } from "node:path";
import { TABLE_NAMES, emptyTable } from "../contract/tables.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";
import { diskReader, type DiskReader, entriesBelow } from "../disk/disk.ts";
import type { Partition } from "../contract/documents/manifest.ts";

/** A folder for each table, and a folder for all views. */
export const OBJECT_FOLDERS: readonly string[] = [...TABLE_NAMES.map((table) => `${table}/`), `${VIEWS_FOLDER}/`];

/** The bytes of all objects in the artifacts folder. */
export async function objectBytes(artifacts: string, disk: DiskReader = diskReader): Promise<number> {
  let bytes = 0;
  for (const prefix of OBJECT_FOLDERS) {
    const folder = join(artifacts, prefix.slice(0, -1));
    for (const entry of await entriesBelow(disk, folder)) bytes += entry.bytes;
  }
  return bytes;
}

export const layoutOf = (artifacts: string) => ({
  /** The symbolic link to the checkout of the current snapshot. */
  current: join(artifacts, "current"),
  /** Names the current snapshot and the retained ones. */
  pointer: join(artifacts, "current.json"),
  /** A manifest for each snapshot. */
  snapshots: join(artifacts, "snapshots"),
  /** Folders of hard links to the objects of a snapshot, for people and globs. They can be made again. */
  checkouts: join(artifacts, "checkouts"),
  /** Everything unfinished is in here and nowhere else. */
  staging: join(artifacts, "staging"),
  freshness: join(artifacts, "freshness.json"),
  lock: join(artifacts, "lock"),
});

/** The report of the last run, for programs and for people. */
export const REPORT_FILES = ["report.json", "report.txt"] as const;

/** The store of the backups. */
export const backupFolderOf = (dataDir: string): string => join(dataDir, "backup");

/** The name of a snapshot in paths and addresses. */
export const nameOf = ({ generation, id }: { readonly generation: number; readonly id: string }): string =>
  `${generation}-${id}`;

/** Parses `<n>-<snapshot id>`; undefined for any other name. */
export function parseSnapshotName(name: string): { generation: number; id: string } | undefined {
  const match = /^([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(name);
  return match?.[1] && match[2] ? { generation: Number(match[1]), id: match[2] } : undefined;
}

interface Part {
  readonly table: string;
  readonly partition: Partition;
}

/** 128 bits of the SHA-256. */
export const HASH_DIGITS = 32;

/** The digits of the hash in the name of a file; undefined for another name. */
export const hashInPath = (path: string): string | undefined => /([0-9a-f]{32})\.parquet$/.exec(path)?.[1];

/**
 * `<table>/<year>-<quarter>-<month>-<32 digits of the hash>.parquet`, with the keys that the table or view is
 * partitioned by; `<table>/empty-<32 digits>.parquet` for `empty/<table>`. There are no folders named `year=2026`:
 * engines make columns of them, with types that the files do not have.
 */
export function filePath(table: string, { year, quarter, month }: Partition, sha256: string): string {
  const empty = emptyTable(table);
  const keys = [empty && "empty", year, quarter, month].filter((key) => key !== undefined);
  return `${empty ?? table}/${[...keys, sha256.slice(0, HASH_DIGITS)].join("-")}.parquet`;
}

/** For reports: `2024 Fall`, `2024`, or `""` for a table in one file. */
export function partitionName({ year, quarter, month }: Partition): string {
  return [year, quarter, month].filter((part) => part !== undefined).join(" ");
}

/** For reports: `enrollment_periods 2026 Fall 2026-11`. */
export const partitionTitle = ({ table, partition }: Part): string => `${table} ${partitionName(partition)}`.trim();
