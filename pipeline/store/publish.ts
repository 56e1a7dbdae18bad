/**
 * Publishes a snapshot in a store: first its objects, then its manifest, then the pointer, unless that has changed.
 * After a kill at any step the store has the old snapshot or the new one, complete.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EarlierSnapshot, Freshness, Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { GuardError, LockedError } from "../errors.ts";
import { nodeDisk, replaceFile } from "../disk/disk.ts";
import { readRegularFile } from "../regular-files.ts";
import { layoutOf } from "./layout.ts";
import type { PublishedSnapshot } from "./published.ts";
import type { Store } from "./store.ts";
import {
  manifestText,
  POINTER,
  pointerText,
  readManifest,
  retainedAfter,
  snapshotKey,
  type StoredPointer,
} from "./pointer.ts";

export interface Publication {
  /** The number is at least this one, and higher than that of every snapshot in the store. */
  readonly manifest: Manifest;
  /** The path of an object on this machine; undefined where this machine does not have it. */
  readonly pathOf: (key: string) => string | undefined;
  /** The pointer as it was read before the snapshot was made; undefined in a new store. */
  readonly previous?: StoredPointer | undefined;
  /** The entity tag of a pointer that cannot be read; by default that of the previous one. */
  readonly etag?: string | null;
  /** Objects that are in the store and sound; by default those of the previous snapshot. */
  readonly present?: ReadonlySet<string>;
  /** The earlier snapshots; by default the previous one and those before it. */
  readonly retained?: readonly EarlierSnapshot[];
  readonly freshness?: Freshness;
  /** Adds the snapshot as an earlier one: another one stays current. */
  readonly isEarlier?: boolean;
  /** The snapshot is retained for good once it is replaced. */
  readonly isKept?: true;
  /** Throws when the publisher may no longer write. Called before each visible step. */
  readonly assertHeld?: () => Promise<void>;
}

/**
 * Returns the manifest as stored, with the number that it got there.
 * @throws LockedError when another publisher was faster, and nothing is changed; GuardError when an object is nowhere
 */
export async function publish(store: Store, publication: Publication): Promise<Manifest> {
  const { assertHeld, freshness, isEarlier = false, isKept, previous } = publication;
  await addObjects(store, publication);
  await assertHeld?.();
  const manifest = await addManifest(store, publication);
  if (isEarlier) return manifest;
  const text = pointerText({
    snapshot: manifest,
    retained: [...(publication.retained ?? retainedAfter(previous, manifest.createdAt))],
    ...(freshness ? { freshness } : {}),
    ...(isKept ? { isKept } : {}),
  });
  await assertHeld?.();
  const { etag = previous?.etag ?? null } = publication;
  if (!(await store.replace(POINTER, text, etag)))
    throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  return manifest;
}

/** Updates the times at which the data of the current snapshot was last checked. */
export async function publishFreshness(
  store: Store,
  freshness: Freshness,
  { etag, ...pointer }: StoredPointer,
): Promise<void> {
  if (JSON.stringify(pointer.freshness) === JSON.stringify(freshness)) return;
  await store.replace(POINTER, pointerText({ ...pointer, freshness }), etag);
}

/** Adds the objects of a snapshot that the store lacks. @throws GuardError when this machine does not have one */
async function addObjects(store: Store, { manifest, pathOf, previous, present }: Publication): Promise<void> {
  const isPresent = present ?? new Set(previous?.snapshot.files.map(({ path }) => path));
  const missing = manifest.files.filter(({ path }) => !isPresent.has(path));
  await store.addFiles(
    missing.map(({ path }) => {
      const localPath = pathOf(path);
      if (localPath === undefined) throw new GuardError(`${path} is nowhere on this machine`);
      return { key: path, at: localPath };
    }),
  );
}

/** Two publishers never get the same number: the slower one's pointer is refused, and the next number is higher. */
export async function addManifest(
  store: Store,
  { manifest, previous }: Pick<Publication, "manifest" | "previous">,
): Promise<Manifest> {
  for (let generation = Math.max(manifest.generation, (previous?.snapshot.generation ?? 0) + 1); ; generation++) {
    const numbered = { ...manifest, generation };
    if (await store.create(snapshotKey(numbered), manifestText(numbered))) return numbered;
    const there = await readManifest(store, numbered).catch(() => undefined);
    if (there && manifestText(there) === manifestText(numbered)) return numbered;
  }
}

/** A file of a snapshot and its path on this machine; undefined for a file that is not here. */
export interface LocatedFile {
  readonly file: PublishedFile;
  readonly at: string | undefined;
}

/** A snapshot, and the paths of its objects on this machine; undefined for an object that is not here. */
export interface LocatedSnapshot {
  readonly manifest: Manifest;
  readonly pathOf: (key: string) => string | undefined;
}

export const located = ({ folder, manifest }: PublishedSnapshot): LocatedSnapshot => ({
  manifest,
  pathOf: (key) => join(folder, key),
});

/** Records which snapshot of another store an artifacts folder builds on. */
const continuedPath = (artifacts: string): string => join(artifacts, "published-to.json");

/** Undefined when it is not known: the store is then compared with the current snapshot. */
export async function readContinued(artifacts: string, { name }: Pick<Store, "name">): Promise<string | undefined> {
  try {
    const text = (await readRegularFile(continuedPath(artifacts))).toString();
    const { id, store } = JSON.parse(text) as { store?: string; id?: string };
    return store === name ? id : undefined;
  } catch {
    return undefined;
  }
}

export async function goOnFrom(artifacts: string, { name }: Pick<Store, "name">, id: string): Promise<void> {
  const { staging } = layoutOf(artifacts);
  await nodeDisk.mkdir(staging);
  const draft = join(staging, `published-to-${randomUUID()}.json`);
  await replaceFile(nodeDisk, continuedPath(artifacts), `${JSON.stringify({ store: name, id })}\n`, draft);
}
