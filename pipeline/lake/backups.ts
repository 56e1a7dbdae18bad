/** Copies of the backups in a store: `backup/<day>.json` with the files that it names, `backup/files/<sha256>.parquet`. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type BackupList, backupList } from "../contract/documents/backup.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { type Backup, backupFolderOf, backupPath, covers, hashesIn, readBackupFolder } from "../generations/backups.ts";
import { isSound } from "../generations/file-check.ts";
import { outdated } from "../publish/backup/backup-retention.ts";
import { nodeDisk } from "../publish/disk.ts";
import type { Store } from "../stores/store.ts";

const listKey = (name: string): string => `backup/${name}`;
const fileKey = (sha256: string): string => `backup/files/${sha256}.parquet`;

/** Adds the backups that the store lacks, files first, then removes those that newer ones cover. @throws UpstreamError */
export async function storeBackups(store: Store, dataDir: string, now: Date): Promise<void> {
  const folder = backupFolderOf(dataDir);
  const { backups } = await readBackupFolder(folder, nodeDisk);
  await store.exclusively(async () => {
    const objects = await store.list("backup/");
    const stored = new Set(objects.map(({ key }) => key));
    for (const { list, name } of backups) {
      const text = await nodeDisk.readFile(join(folder, name));
      const place = await placeFor(store, name, list, text);
      if (place === undefined) continue;
      const files = list.files.filter(({ sha256 }) => !stored.has(fileKey(sha256)));
      await store.addFiles(
        files.map(({ sha256, bytes }) => ({ key: fileKey(sha256), at: backupPath(folder, sha256), bytes })),
      );
      for (const { sha256 } of files) stored.add(fileKey(sha256));
      await store.replace(place.key, text, place.etag);
    }
    await removeOutdated(store, now);
  });
}

/** Undefined when the store has that list. An earlier state of it is replaced; another publisher's list of the same day stays. */
async function placeFor(store: Store, name: string, list: BackupList, text: string) {
  for (const key of [listKey(name), listKey(name.replace(/^([\d-]+)\.json$/, `$1.${list.snapshot}.json`))]) {
    const found = await store.read(key);
    if (typeof found !== "object") return { key, etag: null };
    if (found.content.toString() === text) return undefined;
    const stored = backupList.safeParse(parseJson(found.content.toString())).data;
    if (stored && goesOnFrom(list, stored)) return { key, etag: found.etag };
  }
  return undefined;
}

/** Whether a list is a later state of the other: nothing that was recorded is missing. */
const goesOnFrom = (list: BackupList, stored: BackupList): boolean =>
  list.createdAt > stored.createdAt && isSameCampus(list.source, stored.source) && covers(list.files, stored.files);

async function removeOutdated(store: Store, now: Date): Promise<void> {
  const objects = await store.list("backup/");
  const backups: Backup[] = [];
  const named = new Set<string>();
  for (const { key } of objects) {
    const name = /^backup\/((\d{4}-\d{2}-\d{2})(\.[0-9a-f]{16})?\.json)$/.exec(key);
    const found = name ? await store.read(key) : undefined;
    if (typeof found !== "object") continue;
    const text = found.content.toString();
    const checked = backupList.safeParse(parseJson(text));
    const [, file = "", day = "", isKept] = name ?? [];
    if (checked.success) backups.push({ name: file, day, isKept: isKept !== undefined, list: checked.data });
    // Also of a list of a contract version that is refused.
    else for (const sha256 of hashesIn(text)) named.add(fileKey(sha256));
  }
  const daily = backups.filter(({ isKept }) => !isKept).toSorted((a, b) => (a.day < b.day ? 1 : -1));
  const gone = daily[0] ? outdated(daily, daily[0]) : [];
  for (const { name } of gone) await store.remove(listKey(name));
  for (const { list } of backups.filter((backup) => !gone.includes(backup)))
    for (const { sha256 } of list.files) named.add(fileKey(sha256));
  for (const { key, modifiedMs } of objects)
    if (key.startsWith("backup/files/") && !named.has(key) && modifiedMs < now.getTime() - store.graceMs)
      await store.remove(key);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Brings backups that are only in the store into the data folder. Damaged files are left out: whoever restores compares hashes. @throws UpstreamError */
export async function fetchBackups(store: Store, dataDir: string): Promise<void> {
  const folder = backupFolderOf(dataDir);
  await nodeDisk.mkdir(join(folder, "files"));
  for (const { key } of await store.list("backup/")) {
    const name = key.slice("backup/".length);
    if (!/^\d{4}-\d{2}-\d{2}(\.[0-9a-f]{16})?\.json$/.test(name)) continue;
    if (await stat(join(folder, name)).catch(() => undefined)) continue;
    const found = await store.read(key);
    const checked = typeof found === "object" ? backupList.safeParse(parseJson(found.content.toString())) : undefined;
    if (!checked?.success) continue;
    for (const file of checked.data.files) {
      const path = backupPath(folder, file.sha256);
      if (await isSound(path, file, nodeDisk)) continue;
      await nodeDisk.rm(`${path}.part`);
      await store.download(fileKey(file.sha256), file.bytes, `${path}.part`);
      await nodeDisk.syncFile(`${path}.part`);
      await nodeDisk.rename(`${path}.part`, path);
    }
    const text = (found as { content: Buffer }).content.toString();
    await nodeDisk.writeFile(join(folder, `${name}.part`), text);
    await nodeDisk.rename(join(folder, `${name}.part`), join(folder, name));
  }
}
