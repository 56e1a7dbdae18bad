/** Collects the newest sound copy of every term and month of the recorded history from the backups. */
import { join } from "node:path";
import type { PublishedFile } from "../../contract/documents/manifest.ts";
import { type Backup, backupPath } from "../../generations/backups.ts";
import { firstSound } from "../../generations/copies.ts";
import { copySound } from "../copy-file.ts";
import { partitionTitle, samePartition } from "../../generations/layout.ts";
import { type Disk, nodeDisk } from "../disk.ts";

export interface BackedUpHistory {
  readonly contract: number;
  readonly source: Readonly<Record<string, string>>;
  readonly day: string;
  readonly createdAt: string;
  readonly files: readonly PublishedFile[];
  /** Files that are lost, and files restored from an older backup. */
  readonly problems: readonly string[];
}

/**
 * The history of these backups, newest first. A backup of a later day than today comes last: it was taken while the clock was wrong.
 */
export async function findBackedUpHistory(
  folder: string,
  backups: readonly Backup[],
  today: string,
  disk: Disk = nodeDisk,
): Promise<BackedUpHistory | undefined> {
  const inOrder = [...backups.filter(({ day }) => day <= today), ...backups.filter(({ day }) => day > today)];
  const [newest] = inOrder;
  if (!newest) return undefined;
  const { contract, source, createdAt } = newest.list;
  const usable = inOrder.filter(({ list }) => list.contract === contract);
  const files: PublishedFile[] = [];
  const problems: string[] = [];
  // Recorded changes lead to the snapshot that they were published with, not to the next one.
  const places = usable.flatMap(({ list }) => list.files).filter(({ table }) => table !== "changes");
  for (const [at, place] of places.entries()) {
    const isPlace = ({ table, partition }: PublishedFile) =>
      table === place.table && samePartition(partition, place.partition);
    if (places.findIndex(isPlace) !== at) continue;
    const copies = usable.flatMap(({ day, list }) =>
      list.files.filter(isPlace).map((file) => ({ day, file, at: backupPath(folder, file.sha256) })),
    );
    const found = await firstSound(copies, disk);
    if (found) files.push(found.file);
    if (!found) problems.push(`${partitionTitle(place)}: every copy in the backups is damaged`);
    else if (found.file.sha256 !== place.sha256)
      problems.push(`${partitionTitle(place)}: the newest copy is damaged, that of ${found.day} is restored`);
  }
  return { contract, source, day: newest.day, createdAt, files, problems };
}

/** Copies backed-up files below a folder. A published file must not share blocks with its backup. */
export async function copyFromBackup(
  folder: string,
  files: readonly PublishedFile[],
  to: string,
  disk: Disk = nodeDisk,
): Promise<void> {
  for (const file of files)
    if (!(await copySound(backupPath(folder, file.sha256), join(to, file.path), file, disk)))
      throw new Error(`${partitionTitle(file)} does not read back as it was restored`);
}
