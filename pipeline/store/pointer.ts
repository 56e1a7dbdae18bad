/**
 * The documents of a store. A snapshot is one manifest, `snapshots/<number>-<id>.json`, which never changes. The
 * pointer `current.json` is the only object that is ever replaced: it decides which publication is current.
 */
import type { EarlierSnapshot, Manifest } from "../contract/documents/manifest.ts";
import type { Pointer } from "../contract/documents/pointer.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { assertId, DamagedSnapshot, isOlder, OtherContract, parseManifest, parsePointer } from "./manifest.ts";
import { nameOf, parseSnapshotName } from "./layout.ts";
import type { ListedReader, ReadOptions, StoreReader } from "./store.ts";

export const POINTER = "current.json";
export const SNAPSHOTS_FOLDER = "snapshots/";

type Numbered = Pick<Manifest, "generation" | "id">;

export const snapshotKey = (snapshot: Numbered): string => `${SNAPSHOTS_FOLDER}${nameOf(snapshot)}.json`;

/** The number and id in the key of a manifest; undefined for any other key. */
export const parseSnapshotKey = (key: string): Numbered | undefined =>
  key.startsWith(SNAPSHOTS_FOLDER) && key.endsWith(".json")
    ? parseSnapshotName(key.slice(SNAPSHOTS_FOLDER.length, -".json".length))
    : undefined;

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 1)}\n`;
export const pointerText = (pointer: Pointer): string => `${JSON.stringify(pointer, null, 1)}\n`;

/** A pointer as it was read. A replacement succeeds only while the store still has this entity tag. */
export interface StoredPointer extends Pointer {
  readonly etag: string | null;
}

export interface DocumentOptions extends ReadOptions {
  /**
   * Accepted contract versions; another version counts as damage. By default older versions are accepted too, and newer
   * ones throw.
   */
  readonly accepts?: (contract: number) => boolean;
  /** True in a store of whole snapshots, whose ids follow from their files. A backup keeps the id of the whole. */
  readonly isWhole?: boolean;
}

/**
 * Undefined before the first publication.
 * @throws UpstreamBadResponse when the pointer is damaged; OtherContract; UpstreamError
 */
export async function readPointer(
  reader: StoreReader,
  options?: DocumentOptions,
): Promise<StoredPointer | "unchanged" | undefined> {
  const stored = await reader.read(POINTER, options);
  if (typeof stored !== "object") return stored;
  return {
    ...checked(reader, () => {
      const pointer = parsePointer(stored.content.toString(), options?.accepts ?? isOlder);
      if (options?.isWhole) assertId(pointer.snapshot, POINTER);
      return pointer;
    }),
    etag: stored.etag,
  };
}

/**
 * Undefined when the store has no such snapshot.
 * @throws UpstreamBadResponse when the manifest is damaged; OtherContract; UpstreamError
 */
export async function readManifest(
  reader: StoreReader,
  snapshot: Numbered,
  options?: Pick<DocumentOptions, "accepts" | "isWhole" | "signal">,
): Promise<Manifest | undefined> {
  const stored = await reader.read(snapshotKey(snapshot), options);
  if (typeof stored !== "object") return undefined;
  return checked(reader, () => {
    const manifest = parseManifest(stored.content.toString(), nameOf(snapshot), options?.accepts ?? isOlder);
    if (options?.isWhole) assertId(manifest, `${nameOf(snapshot)}.json`);
    return manifest;
  });
}

function checked<T>({ name }: StoreReader, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof OtherContract || !(cause instanceof DamagedSnapshot)) throw cause;
    throw new UpstreamBadResponse(name, `${name}: ${cause.message}`, { cause });
  }
}

/** True for an error of a document that is there and cannot be used. */
export const isDamage = (error: unknown, options?: DocumentOptions): error is Error =>
  error instanceof UpstreamBadResponse || (options?.accepts !== undefined && error instanceof OtherContract);

/** The manifests in a store, newest first; those that cannot be read are undefined. @throws UpstreamError */
export async function listManifests(
  store: ListedReader,
  options?: DocumentOptions,
): Promise<{ readonly snapshot: Numbered; readonly manifest: Manifest | undefined }[]> {
  const numbered = (await store.list(SNAPSHOTS_FOLDER)).flatMap(({ key }) => parseSnapshotKey(key) ?? []);
  numbered.sort((a, b) => b.generation - a.generation);
  const manifests = [];
  for (const snapshot of numbered) {
    const manifest = await readManifest(store, snapshot, options).catch((error: unknown) => {
      if (!isDamage(error, options)) throw error;
      return undefined;
    });
    manifests.push({ snapshot, manifest });
  }
  return manifests;
}

/**
 * The pointer that manifests give, newest first, where none can be read: each snapshot was in service until the next
 * one was made. Undefined without any.
 */
export function pointerFrom(manifests: readonly Manifest[]): Pointer | undefined {
  const [snapshot, ...earlier] = manifests;
  if (!snapshot) return undefined;
  const retained = earlier.map(({ createdAt, generation, id }, index) => ({
    ...{ id, generation, createdAt },
    replacedAt: manifests[index]?.createdAt ?? createdAt,
  }));
  return { snapshot, retained };
}

/** The earlier snapshots once `pointer` is replaced by a snapshot that was made at `replacedAt`, newest first. */
export function retainedAfter(pointer: Pointer | undefined, replacedAt: string): EarlierSnapshot[] {
  if (!pointer) return [];
  const { createdAt, generation, id } = pointer.snapshot;
  // A clock that was ahead may have made them later than now: nothing was served after it was replaced.
  const notLater = (time: string): string => (Date.parse(time) > Date.parse(replacedAt) ? replacedAt : time);
  const replaced = { id, generation, createdAt, replacedAt, ...(pointer.isKept ? { isKept: pointer.isKept } : {}) };
  return [replaced, ...pointer.retained].map((earlier) => ({
    ...earlier,
    createdAt: notLater(earlier.createdAt),
    replacedAt: notLater(earlier.replacedAt),
  }));
}
