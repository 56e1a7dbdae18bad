/** Opens a store whose pointer may be damaged: then the newest manifest that can be read is the current one. */
import type { Manifest } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse } from "../errors.ts";
import type { Store } from "./store.ts";
import { listManifests, POINTER, readPointer, type StoredPointer } from "./pointer.ts";

export interface OpenedPointer {
  /** Undefined in a store without a snapshot that can be read. */
  readonly current: StoredPointer | undefined;
  /** Why the pointer cannot be read; then `current` was put together from the manifests. */
  readonly damage: string | undefined;
}

/** @throws UpstreamError */
export async function openPointer(store: Store): Promise<OpenedPointer> {
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
