/**
 * Opens a store on this machine: the snapshot that is current, and what of it is lost. A damaged object counts as
 * absent, a damaged pointer is replaced by the newest manifest that can be read.
 */
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { type DamagedFile, findDamagedAt } from "../generations/file-check.ts";
import type { Disk } from "../publish/disk.ts";
import type { Store } from "./store.ts";
import { listManifests, POINTER, readPointer, type StoredPointer } from "./pointer.ts";

export interface OpenedStore {
  /** Undefined in a store without a snapshot that can be read. */
  readonly current: StoredPointer | undefined;
  /** Objects of it that are missing or damaged. */
  readonly lost: readonly DamagedFile[];
  /** Why the pointer cannot be read; then `current` was put together from the manifests. */
  readonly damage: string | undefined;
}

/** @param store a folder @throws UpstreamError */
export async function openSnapshot(store: Store, disk: Disk): Promise<OpenedStore> {
  const { current, damage } = await openPointer(store);
  if (!current) return { current, lost: [], damage };
  const lost = await findDamagedAt((file) => store.locate?.(file.path) ?? file.path, current.snapshot.files, disk);
  return { current, lost, damage };
}

/** Opens a store without a look at its objects. @throws UpstreamError */
export async function openPointer(store: Store): Promise<Pick<OpenedStore, "current" | "damage">> {
  try {
    const current = await readPointer(store);
    if (typeof current === "object") return { current, damage: undefined };
    const recovered = await recover(store, null);
    return { current: recovered, damage: recovered && `${POINTER} is missing though snapshots are there` };
  } catch (error) {
    if (!(error instanceof UpstreamBadResponse)) throw error;
    const stored = await store.read(POINTER);
    return { current: await recover(store, typeof stored === "object" ? stored.etag : null), damage: error.message };
  }
}

/** A snapshot was in service until the next one was made. */
async function recover(store: Store, etag: string | null): Promise<StoredPointer | undefined> {
  const manifests = (await listManifests(store)).flatMap(({ manifest }) => manifest ?? []);
  const [snapshot, ...earlier] = manifests;
  if (!snapshot) return undefined;
  const retained = earlier.map(({ createdAt, generation, id }, index) => ({
    ...{ id, generation, createdAt },
    replacedAt: (manifests[index] as Manifest).createdAt,
  }));
  return { snapshot, retained, etag };
}

/** The objects of a snapshot that are not lost. */
export function soundFiles({ current, lost }: OpenedStore): PublishedFile[] {
  const paths = new Set(lost.map(({ file }) => file.path));
  return (current?.snapshot.files ?? []).filter(({ path }) => !paths.has(path));
}
