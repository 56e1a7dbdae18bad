/**
 * Opens and maintains the backups of recorded history: snapshots of the irreplaceable tables in their own store,
 * `data/backup`. Its objects share no blocks with published data. Each backup is named by the campus day on which it
 * was taken.
 */
import { join } from "node:path";
import { campusToday } from "../contract/campus-time.ts";
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import type { DiskReader, Disk } from "../disk/disk.ts";
import { findDamaged } from "../store/file-check.ts";
import { backupFolderOf } from "../store/layout.ts";
import { OtherContract } from "../store/manifest.ts";
import { expectReadable } from "../store/versions.ts";
import type { CollectOptions } from "../store/collect.ts";
import { openPointer } from "../store/open.ts";
import { listManifests, POINTER, pointerText, readPointer, snapshotKey, type StoredPointer } from "../store/pointer.ts";
import { openFolderStore } from "../store/folder.ts";
import type { Store } from "../store/store.ts";

/** Keeps the last backup of each recent day and of each month, and backups with a partition that no newer one has. */
export const BACKUP_RETENTION = {
  retain: { hours: 0, days: 7, months: 1200 },
  keepMs: 0,
  coversParts: true,
} satisfies Partial<CollectOptions>;

/** Writers of backups already hold the lock of published data. */
const HELD = { assertHeld: () => Promise.resolve(), release: () => Promise.resolve() };

export const openBackups = (dataDir: string, disk: Disk): Store =>
  openFolderStore(backupFolderOf(dataDir), disk, { isIndependent: true, lock: () => Promise.resolve(HELD) });

export const dayOf = ({ createdAt }: Pick<Manifest, "createdAt">): string => campusToday(new Date(createdAt));

export const irreplaceableFiles = (files: readonly PublishedFile[]): PublishedFile[] =>
  files.filter(({ table }) => IRREPLACEABLE_TABLES.includes(table));

export interface BackupState {
  readonly current: StoredPointer | undefined;
  /** The retained backups whose manifests were not removed by hand, newest first. */
  readonly retained: readonly EarlierSnapshot[];
  /** The current backup and those of the retained ones that can be read, newest first. */
  readonly manifests: readonly Manifest[];
  /** The keys of manifests that cannot be read. */
  readonly unreadable: readonly string[];
  /** The reason why the pointer could not be read; undefined when it was read. */
  readonly damage: string | undefined;
}

/** @throws UsageError when a newer program wrote the backups */
export async function readState(store: Store): Promise<BackupState> {
  await refuseNewerBackups(store);
  const { current, damage } = await openPointer(store);
  const stored = new Map(
    (await listManifests(store)).map(({ manifest, snapshot }) => [snapshotKey(snapshot), manifest]),
  );
  const retained = (current?.retained ?? []).filter((snapshot) => stored.has(snapshotKey(snapshot)));
  const earlier = retained.flatMap((snapshot) => stored.get(snapshotKey(snapshot)) ?? []);
  return {
    current,
    // Only the pointer recorded which backups are permanent, so keep them all.
    retained: damage === undefined ? retained : retained.map((snapshot) => ({ ...snapshot, isKept: true as const })),
    manifests: current ? [current.snapshot, ...earlier] : [],
    unreadable: [...stored].flatMap(([key, manifest]) => (manifest ? [] : [key])),
    damage: damage?.message,
  };
}

/** Rebuilds the pointer from the manifests, and the current manifest from the pointer, where one cannot be read. */
export async function repairDocuments(
  store: Store,
  { current, damage, retained, unreadable }: BackupState,
): Promise<void> {
  if (damage !== undefined && !current) return store.remove(POINTER);
  if (!current) return;
  const key = snapshotKey(current.snapshot);
  if (unreadable.includes(key)) {
    await store.remove(key);
    await store.create(key, `${JSON.stringify(current.snapshot, null, 1)}\n`);
  }
  const { etag, ...pointer } = current;
  if (damage !== undefined) await store.replace(POINTER, pointerText({ ...pointer, retained: [...retained] }), etag);
}

/** A damaged object counts as absent. @param store a folder @returns the files that were damaged or missing */
export async function removeDamaged(
  store: Store,
  files: readonly PublishedFile[],
  disk: DiskReader,
): Promise<readonly PublishedFile[]> {
  const damaged = (await findDamaged(store.name, files, disk)).map(({ file }) => file);
  for (const { path } of damaged) await store.remove(path);
  return damaged;
}

/** @throws UsageError when a newer program wrote the backups */
export async function refuseNewerBackups(store: Store): Promise<void> {
  await readPointer(store).catch((error: unknown) => {
    if (error instanceof OtherContract) expectReadable("the newest backup", "data/backup", error);
  });
}

/** All backups that can be read, newest first, also beside a damaged pointer. */
export async function readBackups(store: Store): Promise<Manifest[]> {
  const { current } = await openPointer(store);
  const manifests = (await listManifests(store)).flatMap(({ manifest }) => manifest ?? []);
  if (current && !manifests.some((manifest) => snapshotKey(manifest) === snapshotKey(current.snapshot)))
    manifests.push(current.snapshot);
  return manifests.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

/** Lists of an older layout, which this program neither reads nor removes. */
export async function findFormerLists(dataDir: string, disk: DiskReader): Promise<string[]> {
  const names = await disk.readdir(backupFolderOf(dataDir)).catch(() => []);
  const lists = names.filter((name) => /^\d{4}-\d{2}-\d{2}(\.[0-9a-f]{16})?\.json$/.test(name));
  return lists.map((name) => join("backup", name));
}
