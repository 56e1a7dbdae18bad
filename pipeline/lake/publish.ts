/** Publishes a snapshot in a store besides the artifacts folder. */
import type { Freshness, Manifest } from "../contract/documents/manifest.ts";
import { OtherContract } from "../store/manifest.ts";
import { expectReadable } from "../store/versions.ts";
import type { LocatedSnapshot } from "../publish/publication.ts";
import { POINTER, pointerText, readPointer, type StoredPointer } from "../store/pointer.ts";
import { publish } from "../store/publish.ts";
import type { Store } from "../store/store.ts";

/** Undefined before the first publication. @throws UsageError when its contract version is refused; UpstreamError */
export async function readInService(store: Store): Promise<StoredPointer | undefined> {
  try {
    const pointer = await readPointer(store);
    return typeof pointer === "object" ? pointer : undefined;
  } catch (error) {
    if (error instanceof OtherContract) expectReadable("the snapshot", store.name, error);
    throw error;
  }
}

export interface PublishOptions {
  readonly freshness: Freshness;
  /** What is replaced: as it was read before the snapshot was made. */
  readonly replaced: StoredPointer | undefined;
  readonly assertHeld: () => Promise<void>;
}

/** Returns the manifest as it is in the store, where it may have another number. @throws as publish */
export const publishGeneration = (
  store: Store,
  { manifest, pathOf }: LocatedSnapshot,
  { assertHeld, freshness, replaced }: PublishOptions,
): Promise<Manifest> => publish(store, { manifest, pathOf, previous: replaced, freshness, assertHeld });

/** Writes when the data of the current snapshot was checked last. */
export async function refreshCurrent(
  store: Store,
  freshness: Freshness,
  { etag, ...pointer }: StoredPointer,
): Promise<void> {
  if (JSON.stringify(pointer.freshness) === JSON.stringify(freshness)) return;
  await store.replace(POINTER, pointerText({ ...pointer, freshness }), etag);
}
