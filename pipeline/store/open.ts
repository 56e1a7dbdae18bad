/** Opens a store whose pointer may be damaged: then the newest manifest that can be read is the current one. */
import { UpstreamBadResponse } from "../errors.ts";
import type { Store } from "./store.ts";
import { listManifests, POINTER, pointerFrom, readPointer, type StoredPointer } from "./pointer.ts";

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

async function recover(store: Store, etag: string | null): Promise<StoredPointer | undefined> {
  const recovered = pointerFrom((await listManifests(store)).flatMap(({ manifest }) => manifest ?? []));
  return recovered && { ...recovered, etag };
}
