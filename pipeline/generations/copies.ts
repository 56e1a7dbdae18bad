/**
 * Finds sound copies of published files in other generations and in the backups. Generations share unchanged files by hard links, so one bad block
 * damages all of them: a copy is hashed.
 */
import { basename, join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { type Backup, backupPath, readBackupFolder } from "./backups.ts";
import type { DiskReader } from "./disk-reader.ts";
import { isSound } from "./file-check.ts";
import { generationFolder, listGenerations } from "./generation.ts";
import { samePartition } from "./layout.ts";
import { readPublishedVersions } from "./versions.ts";

export interface CopySources {
  readonly artifacts: string;
  /** The backup folder. */
  readonly backup: string;
  /** Older states are looked for in the generations and backups of this contract version. */
  readonly contract: number;
  /** False for the data of another campus. */
  readonly isOurs: (source: Readonly<Record<string, string>>) => boolean;
  readonly disk: DiskReader;
}

export interface Copy {
  readonly file: PublishedFile;
  readonly at: string;
  /** For the report. */
  readonly from: string;
  readonly isBackup: boolean;
  /** When it was published or backed up; empty where that does not matter, because the content is the same. */
  readonly createdAt: string;
}

/** A copy with the same content. */
export async function findSame(sources: CopySources, file: PublishedFile): Promise<Copy | undefined> {
  const { artifacts, backup, disk } = sources;
  // The path of a file is the same in every generation that has it.
  const published = (await listGenerations(artifacts, disk)).map(({ name }) => ({
    at: join(generationFolder(artifacts, name), file.path),
    from: `generation ${name}`,
    isBackup: false,
  }));
  const lists = (await readBackupFolder(backup, disk)).backups;
  const day = lists.find(({ list }) => list.files.some(({ sha256 }) => sha256 === file.sha256))?.day;
  const from = day === undefined ? "the backup" : `the backup of ${day}`;
  const backedUp = { at: backupPath(backup, file.sha256), from, isBackup: true };
  const looked = new Set<number>();
  for (const place of [...published, backedUp]) {
    const inode = (await disk.stat(place.at).catch(() => undefined))?.inode;
    if (inode === undefined || looked.has(inode)) continue;
    looked.add(inode);
    if (await isSound(place.at, file, disk)) return { ...place, file, createdAt: "" };
  }
  return undefined;
}

/** The newest sound copy of an older state of the partition. */
export async function findOlder(sources: CopySources, lost: PublishedFile): Promise<Copy | undefined> {
  const isState = ({ table, partition }: PublishedFile) =>
    table === lost.table && samePartition(partition, lost.partition);
  const published = (await readManifests(sources)).flatMap(({ folder, manifest: { files, createdAt } }) =>
    files.filter(isState).map((file) => {
      return { file, at: join(folder, file.path), from: `generation ${basename(folder)}`, isBackup: false, createdAt };
    }),
  );
  const backedUp = (await readBackups(sources)).flatMap(({ day, list: { files, createdAt } }) =>
    files.filter(isState).map((file) => {
      const at = backupPath(sources.backup, file.sha256);
      return { file, at, from: `the backup of ${day}`, isBackup: true, createdAt };
    }),
  );
  const newestFirst = [...published, ...backedUp].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return firstSound(newestFirst, sources.disk);
}

export async function firstSound<T extends Pick<Copy, "file" | "at">>(
  copies: readonly T[],
  disk: DiskReader,
): Promise<T | undefined> {
  for (const copy of copies) if (await isSound(copy.at, copy.file, disk)) return copy;
  return undefined;
}

/** The newest readable list of the backup. */
export const newestBackup = async (sources: CopySources): Promise<Backup["list"] | undefined> =>
  (await readBackups(sources))[0]?.list;

/** The file of this path, from the newest manifest that lists it. */
export async function findListed({ artifacts, disk }: CopySources, path: string): Promise<PublishedFile | undefined> {
  const files = (await readPublishedVersions(artifacts, disk)).flatMap(({ manifest }) => manifest.files);
  return files.find((file) => file.path === path);
}

async function readManifests({ artifacts, contract, disk, isOurs }: CopySources) {
  const all = await readPublishedVersions(artifacts, disk);
  return all.filter(({ manifest }) => manifest.contract === contract && isOurs(manifest.source));
}

async function readBackups({ backup, contract, disk, isOurs }: CopySources): Promise<Backup[]> {
  const { backups } = await readBackupFolder(backup, disk);
  return backups
    .filter(({ list }) => list.contract === contract && isOurs(list.source))
    .sort((a, b) => (a.list.createdAt < b.list.createdAt ? 1 : -1));
}
