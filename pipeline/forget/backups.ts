/** Rewrites the backups of recorded history: new files first, then the lists that name them, then what no list names goes. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type BackupList, backupList } from "../contract/documents/backup.ts";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { backupFolderOf, backupPath, refusalOf } from "../generations/backups.ts";
import { isSound } from "../generations/file-check.ts";
import { removeUnnamed } from "../publish/backup/backup-retention.ts";
import { copySound } from "../publish/copy-file.ts";
import type { Disk } from "../publish/disk.ts";
import { replaceFile } from "../publish/replace-file.ts";
import type { Rewriter, Rewritten } from "./snapshots.ts";

/** Lists of backups, also those that were set aside as damaged. */
const LIST = /^\d{4}-\d{2}-\d{2}(\.[0-9a-f]{16})?\.json(\.damaged)?$/;

/** A list whose files are rewritten; the same one when it has nothing of what was taken down. */
export async function rewriteList(
  list: BackupList,
  ids: ReadonlyMap<string, Pick<Manifest, "id" | "changesBefore">>,
  rewrite: (file: PublishedFile) => Promise<Rewritten>,
): Promise<{ list: BackupList; files: { file: PublishedFile; at: string | undefined }[] }> {
  const files = [];
  for (const file of list.files) {
    const one = await rewrite(file);
    if (one) files.push(one);
  }
  const { id: snapshot, changesBefore } = ids.get(list.snapshot) ?? { ...list, id: list.snapshot };
  return { list: { ...list, snapshot, changesBefore, files: files.map(({ file }) => file) }, files };
}

export const listText = (list: BackupList): string => `${JSON.stringify(list, null, 1)}\n`;

/**
 * Requires the lock. A list that cannot be read is removed with the files that it alone names: nobody can say what is in them.
 * A list of a contract version that is refused stays with its files.
 * @returns the names of removed lists, and why others are refused
 */
export async function rewriteBackups(
  dataDir: string,
  { disk, ids, rewriter }: { disk: Disk; ids: ReadonlyMap<string, Manifest>; rewriter: Rewriter },
): Promise<{ readonly unreadable: readonly string[]; readonly refused: readonly string[] }> {
  const folder = backupFolderOf(dataDir);
  const [unreadable, refused]: [string[], string[]] = [[], []];
  // What a killed run was writing.
  for (const below of [folder, join(folder, "files")])
    for (const name of await disk.readdir(below)) if (name.endsWith(".part")) await disk.rm(join(below, name));
  for (const name of await disk.readdir(folder)) {
    const path = join(folder, name);
    if (!LIST.test(name)) continue;
    const read = await readJson(path, disk);
    const reason = refusalOf(read, name, folder);
    if (reason !== undefined) {
      refused.push(reason);
      continue;
    }
    const list = backupList.safeParse(read).data;
    if (!list) {
      unreadable.push(name);
      await disk.rm(path);
      continue;
    }
    const find = async (file: PublishedFile) => {
      const at = backupPath(folder, file.sha256);
      return (await isSound(at, file, disk)) ? at : undefined;
    };
    const { list: made, files } = await rewriteList(list, ids, (file) => rewriter.rewrite(file, () => find(file)));
    for (const { file, at } of files) {
      const to = backupPath(folder, file.sha256);
      if (at === undefined || at === to || (await isSound(to, file, disk))) continue;
      const part = `${to}.${randomUUID()}.part`;
      if (!(await copySound(at, part, file, disk))) throw new Error("a backup does not read back as it was rewritten");
      await disk.rename(part, to);
    }
    if (JSON.stringify(made) === JSON.stringify(list)) continue;
    await disk.syncFolder(join(folder, "files"));
    await replaceFile(disk, path, listText(made), `${path}.${randomUUID()}.part`);
  }
  await removeUnnamed(folder, disk);
  return { unreadable, refused };
}

async function readJson(path: string, disk: Disk): Promise<unknown> {
  try {
    return JSON.parse(await disk.readFile(path));
  } catch {
    return undefined;
  }
}
