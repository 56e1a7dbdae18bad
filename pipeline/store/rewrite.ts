/**
 * Republishes every retained snapshot without certain rows, then removes the old ones at once. After a kill the old
 * snapshots are in service or the new ones; the next call continues.
 */
import { createHash } from "node:crypto";
import { byPath, type EarlierSnapshot, type Manifest } from "../contract/documents/manifest.ts";
import { LockedError } from "../errors.ts";
import { contentId, snapshotId } from "./snapshot-id.ts";
import type { Store } from "./store.ts";
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
import { addManifest, type LocatedFile } from "./publish.ts";

/** The manifest of each rewritten snapshot by the id that it had. */
export type RewrittenSnapshots = ReadonlyMap<string, Manifest>;

export interface RewriteOptions extends Pick<CollectOptions, "now" | "retain" | "keepMs" | "coversParts"> {
  /** Tells rewritten snapshots from all others. */
  readonly mark: string;
  /** Returns the files of a snapshot as they are to be. Equal files give equal results. */
  readonly filesOf: (manifest: Manifest) => Promise<readonly LocatedFile[]>;
  /**
   * The id of a rewritten snapshot, where it does not follow from the files, as in a store with a part of the tables.
   */
  readonly idOf?: (manifest: Manifest) => string | undefined;
  /** Called when the new snapshots are there and the old ones still in service. It is called again after a kill. */
  readonly beforeSwitch?: (rewritten: RewrittenSnapshots) => Promise<void>;
  readonly assertHeld?: () => Promise<void>;
}

/** @throws LockedError when another publisher was faster; UpstreamError */
export async function rewrite(store: Store, options: RewriteOptions): Promise<RewrittenSnapshots> {
  const { assertHeld, mark } = options;
  const rewritten = await rewriteAll(store, options);
  await assertHeld?.();
  // A publication that was killed may have left objects in a store without any snapshot.
  const current = await readPointer(store);
  const published = typeof current === "object" ? current : undefined;
  if (published && published.snapshot.forgotten !== mark)
    throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  await collect(store, published, { ...options, isUrgent: true });
  return rewritten;
}

async function rewriteAll(store: Store, options: RewriteOptions): Promise<RewrittenSnapshots> {
  const { assertHeld, beforeSwitch, mark } = options;
  const rewritten = new Map<string, Manifest>();
  const pointer = await readPointer(store);
  if (typeof pointer !== "object" || (await isRewritten(store, pointer, mark))) return rewritten;
  const retained: EarlierSnapshot[] = [];
  let generation = pointer.snapshot.generation;
  for (const earlier of pointer.retained.toReversed()) {
    const manifest = await readManifest(store, earlier).catch(() => undefined);
    // An unreadable manifest may name any object.
    if (!manifest) continue;
    const added = await addRewritten(store, manifest, ++generation, options);
    ({ generation } = added);
    rewritten.set(earlier.id, added);
    retained.unshift({ ...earlier, id: added.id, generation });
  }
  const snapshot = await addRewritten(store, pointer.snapshot, ++generation, options);
  rewritten.set(pointer.snapshot.id, snapshot);
  await beforeSwitch?.(rewritten);
  const { etag, ...replaced } = pointer;
  await assertHeld?.();
  if (!(await store.replace(POINTER, pointerText({ ...replaced, snapshot, retained }), etag)))
    throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  return rewritten;
}

/** False while a retained snapshot was not rewritten, such as a backup that was put back. */
async function isRewritten(store: Store, { retained, snapshot }: StoredPointer, mark: string): Promise<boolean> {
  if (snapshot.forgotten !== mark) return false;
  const manifests = await Promise.all(retained.map((earlier) => readManifest(store, earlier).catch(() => undefined)));
  return manifests.every((manifest) => manifest === undefined || manifest.forgotten === mark);
}

async function addRewritten(
  store: Store,
  manifest: Manifest,
  generation: number,
  { filesOf, idOf, mark, now }: RewriteOptions,
): Promise<Manifest> {
  if (manifest.forgotten === mark) return addManifest(store, { manifest: { ...manifest, generation } });
  const there = new Set(manifest.files.map(({ path }) => path));
  const files = await filesOf(manifest);
  await store.addFiles(
    files.flatMap(({ at, file: { path } }) => (at === undefined || there.has(path) ? [] : [{ key: path, at }])),
  );
  const listed = files.map(({ file }) => file).sort(byPath);
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
      // Dates in HTTP have no milliseconds: responses within this second count as older than the take-down.
      forgottenAt: new Date((Math.floor(now.getTime() / 1000) + 1) * 1000).toISOString(),
      files: listed,
    };
    if (await store.create(snapshotKey(rewritten), manifestText(rewritten))) return rewritten;
    // A killed attempt has left it: only its time may differ.
    const left = await readManifest(store, rewritten).catch(() => undefined);
    if (left?.id === rewritten.id && left.forgotten === mark) return left;
  }
}
