/**
 * Backups of the recorded history, which cannot be fetched again. Generations share unchanged files, so one bad block damages all of them: a backup
 * is a full copy, read back and compared. The first run of a day takes one and verifies all others; the runs after it add to it what they record.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { BackupList, BackupReport } from "../../contract/documents/backup.ts";
import type { PublishedFile } from "../../contract/documents/manifest.ts";
import {
  type Backup,
  backupFolderOf,
  backupPath,
  covers,
  findDamagedBackups,
  irreplaceableFiles,
  readBackupFolder,
} from "../../generations/backups.ts";
import { isSound } from "../../generations/file-check.ts";
import { partitionTitle } from "../../generations/layout.ts";
import { measureBackups, removeOutdated } from "./backup-retention.ts";
import { copySound } from "../copy-file.ts";
import { type Disk, nodeDisk } from "../disk.ts";
import { replaceFile } from "../replace-file.ts";
import type { Generation } from "../../generations/generation.ts";
import { isSameCampus } from "../../contract/sample-campus.ts";

export interface BackupOptions {
  readonly dataDir: string;
  /** Of this contract version or of an older one. */
  readonly generation: Generation;
  readonly now: Date;
  /** The campus day, `YYYY-MM-DD`. */
  readonly today: string;
  /** Replaces the day's backup. */
  readonly again?: boolean;
  readonly disk?: Disk;
}

/** Takes the day's backup, or brings it up to what is published. Backups of another campus are left alone. Errors are in the report; the next run tries again. */
export async function backUpDaily(options: BackupOptions): Promise<BackupReport> {
  return reported(options, async (problems, repaired) => {
    const { dataDir, generation, today, disk = nodeDisk } = options;
    const folder = backupFolderOf(dataDir);
    const name = `${today}.json`;
    const { contract, files, source } = generation.manifest;
    const wanted = irreplaceableFiles(files);
    const { backups, damaged, refused } = await readBackupFolder(folder, disk);
    const own = backups.filter(({ list }) => isSameCampus(list.source, source));
    const todays = own.find((backup) => backup.name === name);
    const verified = !options.again && todays?.list.contract === contract ? todays.list : undefined;
    const stored = new Set(verified?.files.map(({ sha256 }) => sha256));
    const missing = wanted.filter(({ sha256 }) => !stored.has(sha256));
    problems.push(...(verified?.problems ?? []));
    if (missing.length === 0) return { taken: false, failed: false };
    const inTheWay = refused.find((list) => list.name === name);
    if (inTheWay) {
      problems.push(inTheWay.reason);
      return { taken: false, failed: true };
    }
    await prepareFolder(folder, damaged, disk, problems);
    if (!verified) await verifyBackups(own, options, problems, repaired);
    const found = [...problems];
    const copied = await copyFiles(missing, options, problems);
    if (copied.length < missing.length) return { taken: false, failed: true };
    const replaced = backups.find((backup) => backup.name === name);
    // A backup with other terms, or of another campus, is renamed instead of replaced.
    if (replaced && !(isSameCampus(replaced.list.source, source) && covers(wanted, replaced.list.files)))
      await disk.rename(join(folder, name), join(folder, keptName(today, replaced.list.snapshot)));
    const list = listOf(options, wanted, found);
    await writeList(folder, name, list, disk);
    await removeOutdated(folder, own, { name, day: today, isKept: false, list }, disk);
    return { taken: true, failed: problems.length > (verified?.problems.length ?? 0) };
  });
}

/** Takes a backup that is never replaced: before a migration, and before data of another campus. Errors are in the report. */
export async function backUpForGood(options: BackupOptions): Promise<BackupReport> {
  return reported(options, async (problems) => {
    const { dataDir, generation, today, disk = nodeDisk } = options;
    const folder = backupFolderOf(dataDir);
    const wanted = irreplaceableFiles(generation.manifest.files);
    const { backups } = await readBackupFolder(folder, disk);
    const isTaken = backups.some(({ isKept, list }) => isKept && list.snapshot === generation.manifest.id);
    if (wanted.length === 0 || isTaken) return { taken: false, failed: false };
    await prepareFolder(folder, [], disk, problems);
    // Damaged files are left out; this may be the last copy of the others.
    const copied = await copyFiles(wanted, options, problems);
    await writeList(folder, keptName(today, generation.manifest.id), listOf(options, copied, problems), disk);
    return { taken: true, failed: problems.length > 0 };
  });
}

const keptName = (day: string, snapshot: string): string => `${day}.${snapshot}.json`;

function listOf({ generation, now }: BackupOptions, files: PublishedFile[], problems: readonly string[]): BackupList {
  const { changesBefore, contract, id, source } = generation.manifest;
  const createdAt = now.toISOString();
  return { contract, createdAt, snapshot: id, changesBefore, source, files, problems: [...problems] };
}

type Outcome = Pick<BackupReport, "taken" | "failed">;

async function reported(
  { dataDir, disk = nodeDisk }: BackupOptions,
  act: (problems: string[], repaired: string[]) => Promise<Outcome>,
): Promise<BackupReport> {
  const [problems, repaired]: [string[], string[]] = [[], []];
  let outcome: Outcome = { taken: false, failed: true };
  try {
    outcome = await act(problems, repaired);
  } catch (error) {
    problems.push(`the backup could not be written: ${messageOf(error)}`);
  }
  return { ...(await measureBackups(dataDir, disk)), ...outcome, repaired, problems };
}

/** The file system's message without paths. */
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split(", ")[0] ?? "";

async function prepareFolder(folder: string, damaged: readonly string[], disk: Disk, problems: string[]) {
  await disk.mkdir(join(folder, "files"));
  for (const below of [folder, join(folder, "files")])
    for (const name of await disk.readdir(below)) if (name.endsWith(".part")) await disk.rm(join(below, name));
  for (const name of damaged) {
    // Retention keeps the files that it names.
    await disk.rename(join(folder, name), join(folder, `${name}.damaged`));
    problems.push(`the list ${name} was damaged and is now ${name}.damaged`);
  }
}

/** Hashes every file of the backups, and replaces a damaged one that is still published. */
async function verifyBackups(
  backups: readonly Backup[],
  options: BackupOptions,
  problems: string[],
  repaired: string[],
): Promise<void> {
  const { dataDir, disk = nodeDisk } = options;
  for (const { file } of await findDamagedBackups(backupFolderOf(dataDir), backups, disk)) {
    if (await copyFile(file, options)) repaired.push(partitionTitle(file));
    else {
      const of = backups.filter(({ list }) => list.files.some(({ sha256 }) => sha256 === file.sha256));
      problems.push(
        `${partitionTitle(file)} of the backup ${of.map(({ name }) => name).join(", ")} is damaged and no longer published: remove the list to give it up`,
      );
    }
  }
}

/** Copies missing files; returns those that are backed up then. */
async function copyFiles(
  wanted: readonly PublishedFile[],
  options: BackupOptions,
  problems: string[],
): Promise<PublishedFile[]> {
  const copied: PublishedFile[] = [];
  for (const file of wanted) {
    if (await copyFile(file, options)) copied.push(file);
    else problems.push(`${partitionTitle(file)} is damaged as it is published: it cannot be backed up`);
  }
  return copied;
}

/** Copies a published file that has no sound copy yet, and reads the copy back. False when it is not published, or damaged. */
async function copyFile(file: PublishedFile, options: BackupOptions): Promise<boolean> {
  const { dataDir, generation, disk = nodeDisk } = options;
  const path = backupPath(backupFolderOf(dataDir), file.sha256);
  if (await isSound(path, file, disk)) return true;
  const published = generation.manifest.files.find(({ sha256 }) => sha256 === file.sha256);
  const from = join(generation.folder, published?.path ?? "");
  if (!(await isSound(from, file, disk))) return false;
  const part = `${path}.${randomUUID()}.part`;
  try {
    if (!(await copySound(from, part, file, disk))) throw new Error("a copy does not read back as it was written");
    await disk.rename(part, path);
    return true;
  } catch (error) {
    await disk.rm(part).catch(() => undefined);
    throw error;
  }
}

/** Written last, so that every file it names is on disk. */
async function writeList(folder: string, name: string, list: BackupList, disk: Disk): Promise<void> {
  const part = join(folder, `${name}.${randomUUID()}.part`);
  await disk.syncFolder(join(folder, "files"));
  await replaceFile(disk, join(folder, name), `${JSON.stringify(list, null, 1)}\n`, part);
}
