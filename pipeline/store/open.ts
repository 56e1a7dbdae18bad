/**
 * Opens a store whatever its state. When the pointer cannot be read, the newest readable manifest is the current one,
 * and every object is compared with its hash.
 */
import { isMade } from "../contract/documents/manifest.ts";
import { type DiskReader, diskReader } from "../disk/disk.ts";
import { findDamaged, type LostFile } from "./file-check.ts";
import { openFolderReader } from "./folder.ts";
import { nameOf } from "./layout.ts";
import { DamagedSnapshot, isOurs } from "./manifest.ts";
import {
  type DocumentOptions,
  isDamage,
  listManifests,
  POINTER,
  pointerFrom,
  readPointer,
  type StoredPointer,
} from "./pointer.ts";
import type { PublishedSnapshot } from "./published.ts";
import type { ListedReader } from "./store.ts";

export interface OpenedPointer {
  /** Undefined in a store without a snapshot that can be read. */
  readonly current: StoredPointer | undefined;
  /** The entity tag of the pointer, also of one that cannot be read; null where there is none. */
  readonly etag: string | null;
  /** Why the pointer cannot be read; then `current` was put together from the manifests. */
  readonly damage: Error | undefined;
  /** The name of the newest snapshot, when its manifest cannot be read and `current` is an older one. */
  readonly unreadable: string | undefined;
}

/** @throws UpstreamError when the store cannot be reached */
export async function openPointer(store: ListedReader, options: DocumentOptions = {}): Promise<OpenedPointer> {
  let damage: Error | undefined;
  try {
    const current = await readPointer(store, options);
    if (typeof current === "object") return { current, etag: current.etag, damage, unreadable: undefined };
  } catch (error) {
    if (!isDamage(error, options)) throw error;
    damage = error.cause instanceof DamagedSnapshot ? error.cause : error;
  }
  const etag = await readPointerTag(store);
  const listed = await listManifests(store, options);
  const newest = listed.findIndex(({ manifest }) => manifest !== undefined);
  const unreadable = listed[0] && newest !== 0 ? nameOf(listed[0].snapshot) : undefined;
  const recovered = pointerFrom(listed.flatMap(({ manifest }) => manifest ?? []));
  if (listed.length > 0) damage ??= new DamagedSnapshot(`${POINTER} is missing though snapshots are there`);
  return { current: recovered && { ...recovered, etag }, etag, damage, unreadable };
}

/** The entity tag of the pointer; null where there is none, or it cannot be read. */
export async function readPointerTag(store: ListedReader): Promise<string | null> {
  const stored = await store.read(POINTER).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
    return undefined;
  });
  return typeof stored === "object" ? stored.etag : null;
}

/** The published state that a run starts from. */
export interface Base extends Omit<OpenedPointer, "current"> {
  /** Undefined when no snapshot can be read. */
  readonly published: PublishedSnapshot | undefined;
  /** Objects that are missing or damaged, with those of views, which no product has to build. */
  readonly lost: readonly LostFile[];
}

/** False while something of the snapshot is lost: then the same data is published again. */
export const isPublished = ({ damage, published, lost }: Base, id: string): boolean =>
  published?.manifest.id === id && !damage && lost.length === 0;

/** True when an object of a table is lost. */
export const lacksData = ({ lost }: Base): boolean => lost.some(({ file }) => !isMade(file));

/** Opens the artifacts folder for a run, which reads its own contract version only. */
export async function readBase(artifacts: string, disk: DiskReader = diskReader): Promise<Base> {
  const store = openFolderReader(artifacts, disk);
  const { current, ...opened } = await openPointer(store, { accepts: isOurs, isWhole: true });
  if (!current) return { ...opened, published: undefined, lost: [] };
  const { retained, snapshot } = current;
  const published = { folder: artifacts, manifest: snapshot, retained };
  return { ...opened, published, lost: await findDamaged(artifacts, snapshot.files, disk) };
}

/** The pointer that the next snapshot replaces. */
export const previousOf = ({ etag, published }: Base): StoredPointer | undefined =>
  published && { snapshot: published.manifest, retained: [...published.retained], etag };
