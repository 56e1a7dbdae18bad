/**
 * Removes from a store the snapshots that retention does not keep, then the objects that no snapshot names. An object
 * that is younger than the store's grace may belong to a publication in progress and stays.
 */
import type { EarlierSnapshot, Manifest } from "../contract/documents/manifest.ts";
import { isRetained, type Retention } from "../contract/retention.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";
import { LockedError } from "../errors.ts";
import { samePart } from "../generations/layout.ts";
import type { Listed, Store } from "../stores/store.ts";
import {
  parseSnapshotKey,
  POINTER,
  pointerText,
  readManifest,
  SNAPSHOTS_FOLDER,
  snapshotKey,
  type StoredPointer,
} from "./pointer.ts";

export interface CollectOptions {
  readonly now: Date;
  readonly retain: Retention;
  /** How long a replaced snapshot stays for its readers, in milliseconds. */
  readonly keepMs?: number;
  /** How many snapshots stay at least, the current one included. */
  readonly keepSnapshots?: number;
  /** Retains a snapshot besides unless a newer one that stays has every part that it has. */
  readonly coversParts?: boolean;
  /** Removes what no snapshot names at once: a take-down waits for nobody. */
  readonly isUrgent?: boolean;
  /** The manifest of a snapshot where it is read faster than from the store. */
  readonly manifestOf?: (snapshot: EarlierSnapshot) => Promise<Manifest | undefined>;
}

export interface Collected {
  /** The keys of removed manifests and objects. */
  readonly removed: readonly string[];
  /** The snapshots in the store afterwards, the current one included. */
  readonly snapshots: number;
  /** The bytes of all objects of these snapshots. */
  readonly keptBytes: number;
  readonly freedBytes: number;
  readonly problems: readonly string[];
}

/** Only objects below these folders are removed. */
const OBJECT_FOLDERS = [...TABLE_NAMES.map((table) => `${table}/`), `${VIEWS_FOLDER}/`];

/** @throws LockedError when another snapshot became current; UpstreamError */
export async function collect(
  store: Store,
  pointer: StoredPointer | undefined,
  options: CollectOptions,
): Promise<Collected> {
  const read = manifestReader(store, options);
  const retained = pointer ? await staying(pointer, read, options) : [];
  const kept = pointer ? [pointer.snapshot, ...retained] : [];
  const problems: string[] = [];
  const named = await namedObjects({ snapshot: pointer?.snapshot, retained }, problems, read);
  if (pointer && retained.length < pointer.retained.length) {
    const { etag, ...replaced } = pointer;
    if (!(await store.replace(POINTER, pointerText({ ...replaced, retained }), etag)))
      throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  }
  const { isUrgent = false, now } = options;
  const isOld = ({ modifiedMs }: Listed): boolean =>
    isUrgent || store.graceMs === 0 || modifiedMs < now.getTime() - store.graceMs;
  const unnamed = await unnamedManifests(store, kept, isUrgent ? Infinity : (pointer?.snapshot.generation ?? 0));
  // A manifest that cannot be read may name any object.
  if (problems.length === 0) unnamed.push(...(await unnamedObjects(store, new Set(named.keys()))));
  const removed = unnamed.filter(isOld);
  for (const { key } of removed) await store.remove(key);
  return {
    removed: removed.map(({ key }) => key),
    snapshots: kept.length,
    keptBytes: sum([...named.values()]),
    freedBytes: sum(removed.map(({ bytes }) => bytes)),
    problems,
  };
}

/** Reads the manifest of a retained snapshot, once; undefined when it cannot be read. */
type ManifestReader = (snapshot: EarlierSnapshot) => Promise<Manifest | undefined>;

function manifestReader(store: Store, { manifestOf }: CollectOptions): ManifestReader {
  const manifests = new Map<EarlierSnapshot, Promise<Manifest | undefined>>();
  const read: ManifestReader = async (snapshot) =>
    (await manifestOf?.(snapshot)) ?? (await readManifest(store, snapshot).catch(() => undefined));
  return (snapshot) => {
    const reading = manifests.get(snapshot) ?? read(snapshot);
    manifests.set(snapshot, reading);
    return reading;
  };
}

async function staying(
  { retained, snapshot }: StoredPointer,
  read: ManifestReader,
  options: CollectOptions,
): Promise<EarlierSnapshot[]> {
  const wanted = retained.filter((earlier, index) => isWanted(earlier, index, options));
  if (!options.coversParts) return wanted;
  const stay: EarlierSnapshot[] = [];
  const newer = [snapshot];
  for (const earlier of retained) {
    const manifest = await read(earlier);
    // Nobody can say which parts a manifest has that cannot be read.
    if (manifest && !wanted.includes(earlier) && newer.some((other) => covers(other, manifest))) continue;
    stay.push(earlier);
    if (manifest) newer.push(manifest);
  }
  return stay;
}

/** True for one that retention keeps, for the newest ones, and for one that a reader may still have open. */
function isWanted(
  snapshot: EarlierSnapshot,
  index: number,
  { keepMs = 3_600_000, keepSnapshots = 1, now, retain }: CollectOptions,
): boolean {
  const isRecent = Date.parse(snapshot.replacedAt) > now.getTime() - keepMs;
  return snapshot.isKept || isRecent || index + 1 < keepSnapshots || isRetained(snapshot, retain, now);
}

/** True when `newer` is of the same campus and has every term, year and month that `older` has. */
const covers = (newer: Manifest, older: Manifest): boolean =>
  isSameCampus(newer.source, older.source) &&
  older.files.every((file) => newer.files.some((other) => samePart(file, other)));

/** The bytes of every object that a snapshot names, by key. */
async function namedObjects(
  { retained, snapshot }: Pick<StoredPointer, "retained"> & { readonly snapshot: Manifest | undefined },
  problems: string[],
  read: ManifestReader,
): Promise<Map<string, number>> {
  const named = new Map((snapshot?.files ?? []).map(({ path, bytes }) => [path, bytes]));
  for (const earlier of retained) {
    const manifest = await read(earlier);
    if (manifest) for (const { path, bytes } of manifest.files) named.set(path, bytes);
    else problems.push(`the manifest of the retained snapshot ${earlier.id} cannot be read: no object is removed`);
  }
  return named;
}

/** Manifests of snapshots that are not kept. Those of a higher number may be of a publication in progress. */
async function unnamedManifests(
  store: Store,
  kept: readonly Pick<Manifest, "generation" | "id">[],
  highest: number,
): Promise<Listed[]> {
  const keptKeys = new Set(kept.map(snapshotKey));
  return (await store.list(SNAPSHOTS_FOLDER)).filter(({ key }) => {
    const numbered = parseSnapshotKey(key);
    return numbered !== undefined && numbered.generation <= highest && !keptKeys.has(key);
  });
}

const unnamedObjects = async (store: Store, named: ReadonlySet<string>): Promise<Listed[]> =>
  (await listObjects(store)).filter(({ key }) => !named.has(key));

/** The objects of a store, whichever snapshot names them. @throws UpstreamError */
export async function listObjects(store: Store): Promise<Listed[]> {
  const objects: Listed[] = [];
  for (const folder of OBJECT_FOLDERS)
    for (const object of await store.list(folder))
      if (object.key.endsWith(".parquet") && !object.key.includes("/_delta_log/")) objects.push(object);
  return objects;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, bytes) => total + bytes, 0);
