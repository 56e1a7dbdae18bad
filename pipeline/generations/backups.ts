/** The backups on disk: `data/backup` has a list for each day, and the files that the lists name, by hash. */
import { join } from "node:path";
import { type BackupList, backupList } from "../contract/documents/backup.ts";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import type { DiskReader } from "./disk-reader.ts";
import { type DamagedFile, findDamaged } from "./file-check.ts";
import { samePart } from "./layout.ts";
import { refusal } from "./versions.ts";

export interface Backup {
  /** `2024-09-30.json`, or `2024-09-30.<snapshot id>.json` for one that is kept forever. */
  readonly name: string;
  readonly day: string;
  readonly isKept: boolean;
  readonly list: BackupList;
}

export interface BackupFolder {
  /** Newest first; of contract versions that this program reads. */
  readonly backups: readonly Backup[];
  /** Lists that cannot be read. */
  readonly damaged: readonly string[];
  /** Lists of other contract versions, newest first. Nothing changes, renames or removes them, or the files that they name. */
  readonly refused: readonly RefusedList[];
}

export interface RefusedList {
  readonly name: string;
  readonly day: string;
  /** Says why, and what to do. */
  readonly reason: string;
}

export const backupFolderOf = (dataDir: string): string => join(dataDir, "backup");
export const backupPath = (folder: string, sha256: string): string => join(folder, storedPath(sha256));
const storedPath = (sha256: string): string => `files/${sha256}.parquet`;

const LIST_NAME = /^(\d{4}-\d{2}-\d{2})(\.[0-9a-f]{16})?\.json$/;

export async function readBackupFolder(folder: string, disk: DiskReader): Promise<BackupFolder> {
  const backups: Backup[] = [];
  const damaged: string[] = [];
  const refused: RefusedList[] = [];
  for (const name of await disk.readdir(folder)) {
    const found = LIST_NAME.exec(name);
    if (!found) continue;
    const [, day = "", snapshot] = found;
    const list = await readJson(join(folder, name), disk);
    const reason = refusalOf(list, name, folder);
    const checked = backupList.safeParse(list);
    if (reason !== undefined) refused.push({ name, day, reason });
    else if (checked.success) backups.push({ name, day, isKept: snapshot !== undefined, list: checked.data });
    else damaged.push(name);
  }
  backups.sort((a, b) => compare(b.day, a.day) || compare(b.list.createdAt, a.list.createdAt));
  refused.sort((a, b) => compare(b.day, a.day));
  return { backups, damaged, refused };
}

/** The hashes of the files that a list names, whatever else it says. */
export const hashesIn = (list: string): string[] => list.match(/\b[0-9a-f]{64}\b/g) ?? [];

/** Says why a backup list of that name, as it was parsed, is refused; undefined for any that is not of another contract version. */
export function refusalOf(list: unknown, name: string, place: string): string | undefined {
  const contract = (list as { contract?: unknown } | null | undefined)?.contract;
  return typeof contract === "number"
    ? refusal(`the backup ${name}`, place, { contract, isUnreleased: contract > 1 })
    : undefined;
}

/** The newest refused list, unless a backup that is read is newer. */
export function newestRefused({ backups, refused }: BackupFolder): RefusedList | undefined {
  const [last] = refused;
  return last !== undefined && last.day >= (backups[0]?.day ?? "") ? last : undefined;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function readJson(path: string, disk: DiskReader): Promise<unknown> {
  try {
    return JSON.parse(await disk.readFile(path));
  } catch {
    return undefined;
  }
}

/** The damaged files of these backups. Their paths are those below the backup folder. */
export async function findDamagedBackups(
  folder: string,
  backups: readonly Backup[],
  disk: DiskReader,
): Promise<DamagedFile[]> {
  const files = new Map(backups.flatMap(({ list }) => list.files.map((file) => [file.sha256, file])));
  const stored = [...files.values()].map((file) => ({ ...file, path: storedPath(file.sha256) }));
  return findDamaged(folder, stored, disk);
}

export const irreplaceableFiles = (files: readonly PublishedFile[]): PublishedFile[] =>
  files.filter(({ table }) => IRREPLACEABLE_TABLES.includes(table));

/** Whether `files` have every term and month of `others`. */
export const covers = (files: readonly PublishedFile[], others: readonly PublishedFile[]): boolean =>
  others.every((other) => files.some((file) => samePart(file, other)));
