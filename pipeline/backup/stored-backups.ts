/** Copies of the backups in the store that runs publish to: a store of their own below `backup/`. */
import { join } from "node:path";
import type { EarlierSnapshot, Manifest } from "../contract/documents/manifest.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { LockedError } from "../errors.ts";
import { backupFolderOf, hashInPath } from "../store/layout.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { collect, listObjects } from "../store/collect.ts";
import { copy } from "../store/copy.ts";
import { POINTER, pointerText, readManifest, readPointer } from "../store/pointer.ts";
import { type Store, storeBelow } from "../store/store.ts";
import { BACKUP_RETENTION, dayOf, openBackups, readState, repairDocuments } from "./backups.ts";

export const backupsBelow = (store: Store): Store => storeBelow(store, "backup/");

/** How often a publisher goes on from what another one wrote meanwhile. */
const ATTEMPTS = 5;

export interface StoredBackups {
  readonly dataDir: string;
  /** The mark of what was taken down on this machine. */
  readonly mark: string | undefined;
  readonly disk?: Disk;
}

/**
 * Copies the backups of this machine that the store lacks, then removes there what retention does not keep. Of two
 * publishers the slower one goes on from what the faster one wrote.
 * @returns what could not be copied
 * @throws UpstreamError; LockedError
 */
export async function storeBackups(store: Store, backups: StoredBackups, now: Date): Promise<string[]> {
  const [from, to] = [openBackups(backups.dataDir, backups.disk ?? nodeDisk), backupsBelow(store)];
  const copyAll = async () => {
    for (let attempt = 1; ; attempt++)
      try {
        const problems = await copyBackups(from, to, backups);
        const pointer = await readPointer(to);
        if (typeof pointer === "object") await collect(to, pointer, { ...BACKUP_RETENTION, now });
        return problems;
      } catch (error) {
        if (!(error instanceof LockedError) || attempt === ATTEMPTS) throw error;
      }
  };
  return from.exclusively(() => to.exclusively(copyAll));
}

/** Brings the backups of the store that this machine lacks. Returns what could not be copied. @throws UpstreamError */
export async function fetchBackups(store: Store, backups: StoredBackups): Promise<string[]> {
  const to = openBackups(backups.dataDir, backups.disk ?? nodeDisk);
  return to.exclusively(() => copyBackups(backupsBelow(store), to, backups));
}

/** Numbers are each store's own: the same backup has the same id and time. */
const nameOf = ({ createdAt, id }: Pick<EarlierSnapshot, "createdAt" | "id">): string => `${createdAt} ${id}`;

/** A backup in either store. Nothing says of a current one when it was replaced. */
interface Entry extends Omit<EarlierSnapshot, "replacedAt"> {
  readonly replacedAt?: string;
  readonly manifest?: Manifest;
}

/** Makes the newest backup of both stores the current one. @throws LockedError when `to` has changed meanwhile */
async function copyBackups(
  from: Store,
  to: Store,
  { dataDir, disk = nodeDisk, mark }: StoredBackups,
): Promise<string[]> {
  const problems: string[] = [];
  const source = await readState(from);
  let target = await readState(to);
  if (target.damage !== undefined) {
    await repairDocuments(to, target);
    target = await readState(to);
  }
  const entries = new Map(entriesOf(target).map((entry) => [nameOf(entry), entry]));
  const present = await soundObjects(to, disk);
  let hasChanged = false;
  for (const entry of entriesOf(source).toReversed()) {
    const known = entries.get(nameOf(entry));
    if (known && (known.isKept || !entry.isKept)) continue;
    if (known) entries.set(nameOf(known), { ...known, isKept: true });
    else {
      const manifest = entry.manifest ?? (await readManifest(from, entry).catch(() => undefined));
      if (!manifest) continue;
      if (mark !== undefined && manifest.forgotten !== mark) {
        problems.push(`the backup of ${dayOf(manifest)} in ${from.name} may have what was taken down here`);
        continue;
      }
      const copied = await copy(from, to, {
        ...{ manifest, mark, present, previous: undefined, isEarlier: true },
        ...{ disk, folder: join(backupFolderOf(dataDir), ".drafts") },
        // Whoever restores takes the newest sound state of each part.
        onLost: () => undefined,
      });
      for (const { path } of copied.files) present.add(path);
      entries.set(nameOf(entry), { ...entry, generation: copied.generation, manifest: copied });
    }
    hasChanged = true;
  }
  if (hasChanged && !(await to.replace(POINTER, await pointTo(to, entries), target.current?.etag ?? null)))
    throw new LockedError(`another publisher wrote backups to ${to.name} in the meantime`);
  return problems;
}

function entriesOf({ current, retained }: Awaited<ReturnType<typeof readState>>): Entry[] {
  if (!current) return [];
  const { snapshot, isKept } = current;
  const { createdAt, generation, id } = snapshot;
  return [{ id, generation, createdAt, manifest: snapshot, ...(isKept ? { isKept } : {}) }, ...retained];
}

/** The pointer to the newest of these backups. */
async function pointTo(store: Store, entries: ReadonlyMap<string, Entry>): Promise<string> {
  const [newest, ...others] = [...entries.values()].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const snapshot = newest && (newest.manifest ?? (await readManifest(store, newest)));
  if (!snapshot) throw new LockedError(`the newest backup in ${store.name} was removed in the meantime`);
  const [replaced] = others;
  const earlier = replaced && (replaced.manifest ?? (await readManifest(store, replaced).catch(() => undefined)));
  const isOther = earlier !== undefined && !isSameCampus(earlier.source, snapshot.source);
  const retained = others.map(({ manifest: _manifest, ...entry }, index) => ({
    replacedAt: others[index - 1]?.createdAt ?? snapshot.createdAt,
    ...entry,
    // Retention of ours says nothing of another campus.
    ...(isOther && index === 0 ? { isKept: true as const } : {}),
  }));
  return pointerText({ snapshot, retained, ...(newest.isKept ? { isKept: newest.isKept } : {}) });
}

/** The keys of the objects that are there and, where that can be seen on this machine, sound. */
async function soundObjects(store: Store, disk: Disk): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const { key } of await listObjects(store)) {
    const path = store.locate?.(key);
    const digest = path === undefined ? undefined : await disk.digest(path).catch(() => ({ sha256: "" }));
    if (!digest || digest.sha256.startsWith(hashInPath(key) ?? "-")) keys.add(key);
  }
  return keys;
}
