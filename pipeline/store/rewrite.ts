/**
 * Publishes every retained snapshot anew through a filter of its files, then removes the old ones at once. A kill
 * leaves the old snapshots in service or the new ones; the next call goes on.
 */
import type { EarlierSnapshot, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { LockedError } from "../errors.ts";
import { contentId, snapshotId } from "../generations/snapshot-id.ts";
import { createHash } from "node:crypto";
import type { Store } from "../stores/store.ts";
import { collect, type CollectOptions } from "./collect.ts";
import {
  manifestText,
  POINTER,
  pointerText,
  readManifest,
  readPointer,
  snapshotKey,
  type StoredPointer,
} from "./pointer.ts";
import { addManifest } from "./publish.ts";

/** A file as it is after the filter, and its path on this machine; undefined where nothing of it is left. */
export type Filtered = { readonly file: PublishedFile; readonly at: string } | undefined;

export interface RewriteOptions extends Pick<CollectOptions, "now" | "retain" | "keepMs" | "coversParts"> {
  /** Tells snapshots that went through this filter from all others. */
  readonly mark: string;
  /** Called once for each object. `undefined`: the object stays as it is, which is also right for one that is lost. */
  readonly filter: (file: PublishedFile) => Promise<{ readonly result: Filtered } | undefined>;
  /** The id of a rewritten snapshot, where it does not follow from the files, as in a store with a part of the tables. */
  readonly idOf?: (manifest: Manifest) => string | undefined;
  /** Makes the files that follow from others anew. */
  readonly finish?: (files: readonly PublishedFile[]) => Promise<readonly NonNullable<Filtered>[]>;
  readonly assertHeld?: () => Promise<void>;
}

/** Returns the manifest of each rewritten snapshot by the id that it had. @throws LockedError; UpstreamError */
export async function rewrite(store: Store, options: RewriteOptions): Promise<ReadonlyMap<string, Manifest>> {
  const { assertHeld, mark } = options;
  const pointer = await readPointer(store);
  const rewritten = new Map<string, Manifest>();
  if (typeof pointer === "object" && !(await isRewritten(store, pointer, mark))) {
    const filter = memoized(options.filter);
    const retained: EarlierSnapshot[] = [];
    let generation = pointer.snapshot.generation;
    for (const earlier of pointer.retained.toReversed()) {
      const manifest = await readManifest(store, earlier).catch(() => undefined);
      // Nobody can say what a manifest that cannot be read would name.
      if (!manifest) continue;
      const made = await addRewritten(store, manifest, ++generation, { ...options, filter });
      generation = made.generation;
      rewritten.set(earlier.id, made);
      retained.unshift({ ...earlier, id: made.id, generation: made.generation });
    }
    const snapshot = await addRewritten(store, pointer.snapshot, ++generation, { ...options, filter });
    rewritten.set(pointer.snapshot.id, snapshot);
    const { etag, ...replaced } = pointer;
    await assertHeld?.();
    if (!(await store.replace(POINTER, pointerText({ ...replaced, snapshot, retained }), etag)))
      throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  }
  const current = await readPointer(store);
  // A publication that was killed may have left objects in a store without any snapshot.
  const published = typeof current === "object" ? current : undefined;
  await collect(store, published, { ...options, isUrgent: true });
  return rewritten;
}

/** False while a retained snapshot did not go through this filter, as one that was put back. */
async function isRewritten(store: Store, { retained, snapshot }: StoredPointer, mark: string): Promise<boolean> {
  const manifests = await Promise.all(retained.map((earlier) => readManifest(store, earlier).catch(() => undefined)));
  return [snapshot, ...manifests].every((manifest) => manifest?.forgotten === mark);
}

async function addRewritten(
  store: Store,
  manifest: Manifest,
  generation: number,
  { filter, finish, idOf, mark, now }: RewriteOptions,
): Promise<Manifest> {
  if (manifest.forgotten === mark)
    return addManifest(store, { manifest: { ...manifest, generation }, previous: undefined });
  const files: PublishedFile[] = [];
  const changed: NonNullable<Filtered>[] = [];
  for (const file of manifest.files) {
    const filtered = await filter(file);
    if (filtered === undefined) files.push(file);
    else if (filtered.result) {
      files.push(filtered.result.file);
      changed.push(filtered.result);
    }
  }
  const made = (await finish?.(files)) ?? [];
  await store.addFiles([...changed, ...made].map(({ at, file }) => ({ key: file.path, at, bytes: file.bytes })));
  const listed = [...files, ...made.map(({ file }) => file)];
  const changesBefore = createHash("sha256")
    .update(JSON.stringify([manifest.changesBefore, mark]))
    .digest("hex");
  for (let number = generation; ; number++) {
    const rewritten: Manifest = {
      ...manifest,
      id: idOf?.(manifest) ?? snapshotId(listed, changesBefore),
      contentId: contentId(listed),
      generation: number,
      changesBefore,
      forgotten: mark,
      // Dates in HTTP have no milliseconds: what a client received within this second is from before.
      forgottenAt: new Date((Math.floor(now.getTime() / 1000) + 1) * 1000).toISOString(),
      files: listed,
    };
    if (await store.create(snapshotKey(rewritten), manifestText(rewritten))) return rewritten;
    // An attempt that was killed has left it: only its time may differ.
    const left = await readManifest(store, rewritten).catch(() => undefined);
    if (left?.id === rewritten.id && left.forgotten === mark) return left;
  }
}

function memoized(filter: RewriteOptions["filter"]): RewriteOptions["filter"] {
  const results = new Map<string, ReturnType<RewriteOptions["filter"]>>();
  return (file) => {
    const known = results.get(file.path) ?? filter(file);
    results.set(file.path, known);
    return known;
  };
}
