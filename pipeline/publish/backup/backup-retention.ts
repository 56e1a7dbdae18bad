/** Keeps the backups of the last days and the last one of each month. Every term and month of the history stays in some backup. */
import { join } from "node:path";
import type { BackupReport } from "../../contract/documents/backup.ts";
import { type Backup, backupFolderOf, covers, hashesIn, readBackupFolder } from "../../generations/backups.ts";
import type { Disk } from "../disk.ts";

const DAYS_KEPT = 7;

/** Removes lists that a newer backup covers, then files that no list names. */
export async function removeOutdated(
  folder: string,
  known: readonly Backup[],
  taken: Backup,
  disk: Disk,
): Promise<void> {
  for (const { name } of outdated(
    [taken, ...known.filter(({ name, isKept }) => !isKept && name !== taken.name)],
    taken,
  ))
    await disk.rm(join(folder, name));
  await removeUnnamed(folder, disk);
}

/** The lists that newer ones cover, beyond the last days and the last of each month. `taken` stays. */
export function outdated(all: readonly Backup[], taken: Backup): Backup[] {
  const newestFirst = all.toSorted((a, b) => (a.day < b.day ? 1 : -1));
  const monthOf = ({ day }: Backup) => day.slice(0, 7);
  const stays = newestFirst.filter(
    (backup, at) =>
      at < DAYS_KEPT || backup === taken || newestFirst.findIndex((one) => monthOf(one) === monthOf(backup)) === at,
  );
  return newestFirst.filter(
    (backup) =>
      !stays.includes(backup) &&
      stays.some(({ day, list }) => day > backup.day && covers(list.files, backup.list.files)),
  );
}

/** Any hash in any file of the folder counts, so that damaged and refused lists keep their files. */
export async function removeUnnamed(folder: string, disk: Disk): Promise<void> {
  const named = new Set<string>();
  for (const name of await disk.readdir(folder)) {
    if ((await disk.stat(join(folder, name)))?.kind !== "file") continue;
    for (const sha256 of hashesIn(await disk.readFile(join(folder, name)))) named.add(sha256);
  }
  for (const name of await disk.readdir(join(folder, "files"))) {
    const sha256 = /^([0-9a-f]{64})\.parquet$/.exec(name)?.[1];
    if (sha256 !== undefined && !named.has(sha256)) await disk.rm(join(folder, "files", name));
  }
}

export async function measureBackups(
  dataDir: string,
  disk: Disk,
): Promise<Pick<BackupReport, "newest" | "backups" | "bytes">> {
  const folder = backupFolderOf(dataDir);
  try {
    const { backups } = await readBackupFolder(folder, disk);
    let bytes = 0;
    for (const name of await disk.readdir(join(folder, "files")))
      bytes += (await disk.stat(join(folder, "files", name)))?.bytes ?? 0;
    return { newest: backups[0]?.day ?? null, backups: backups.length, bytes };
  } catch {
    // The problem is reported where the backup is written.
    return { newest: null, backups: 0, bytes: 0 };
  }
}
