/**
 * Removes from a store the snapshots that retention does not keep, then the objects that no snapshot names. An object
 * that is younger than the store's grace may belong to a publication in progress and stays.
 */
import { samePart, type EarlierSnapshot, type Manifest } from "../contract/documents/manifest.ts";
import { isRetained, type Retention } from "../contract/retention.ts";
import { isSameCampus } from "../contract/sample-campus.ts";
import { LockedError, UpstreamBadResponse } from "../errors.ts";
import { OBJECT_FOLDERS } from "./layout.ts";
import { OtherContract } from "./manifest.ts";
import type { Listed, Store } from "./store.ts";
import {
  parseSnapshotKey,
  POINTER,
  pointerText,
  readManifest,
  SNAPSHOTS_FOLDER,
  snapshotKey,
  type StoredPointer,
} from "./pointer.ts";

export interface KeepOptions {
  readonly now: Date;
  readonly retain: Retention;
  /** A replaced snapshot stays for its readers this long, in milliseconds. */
  readonly keepMs?: number;
  /** At least this many snapshots stay, including the current one. */
  readonly keepSnapshots?: number;
  /** Also retains a snapshot unless a single newer remaining one has all of its partitions. */
  readonly coversParts?: boolean;
}

export interface CollectOptions extends KeepOptions {
  /** Removes unnamed objects at once: a take-down does not wait for readers or publishers. */
  readonly isUrgent?: boolean;
  /** The manifest of a snapshot where it is read faster than from the store. */
  readonly manifestOf?: (snapshot: EarlierSnapshot) => Promise<Manifest | undefined>;
}

export interface Collected {
  /** The keys of removed manifests and objects. */
  readonly removed: readonly string[];
  /** The keys of all objects that were there. */
  readonly objects: ReadonlySet<string>;
  /** The keys of the objects of the snapshots that stay. */
  readonly named: ReadonlySet<string>;
  /** Keys in `named` that the store does not have. */
  readonly missing: readonly string[];
  /** The bytes of all objects that stay. */
  readonly keptBytes: number;
  readonly freedBytes: number;
  readonly problems: readonly string[];
}

/** @throws LockedError when another snapshot became current; UpstreamError */
export async function collect(
  store: Store,
  pointer: StoredPointer | undefined,
  options: CollectOptions,
): Promise<Collected> {
  const retained = pointer ? await staying(store, pointer, options) : [];
  const kept = pointer ? [pointer.snapshot, ...retained] : [];
  const problems: string[] = [];
  const named = await namedObjects(store, { snapshot: pointer?.snapshot, retained }, problems, options);
  if (pointer && retained.length < pointer.retained.length) {
    const { etag, ...replaced } = pointer;
    if (!(await store.replace(POINTER, pointerText({ ...replaced, retained }), etag)))
      throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  }
  const { isUrgent = false, now } = options;
  // A collector of a folder holds its lock.
  const isAlone = isUrgent || store.graceMs === 0;
  const isOld = ({ modifiedMs }: Listed): boolean => isAlone || modifiedMs < now.getTime() - store.graceMs;
  const unnamed = await unnamedManifests(store, kept, isAlone ? Infinity : (pointer?.snapshot.generation ?? 0));
  const objects = await listObjects(store);
  // A manifest that cannot be read may name any object.
  if (problems.length === 0) unnamed.push(...objects.filter(({ key }) => !named.has(key)));
  const removed = unnamed.filter(isOld);
  for (const { key } of removed) await store.remove(key);
  const gone = new Set(removed);
  const present = new Set(objects.map(({ key }) => key));
  return {
    removed: removed.map(({ key }) => key),
    objects: present,
    named,
    missing: [...named].filter((key) => !present.has(key)),
    keptBytes: sum(objects.filter((object) => !gone.has(object))),
    freedBytes: sum(removed),
    problems,
  };
}

/** Returns undefined when the manifest is missing, damaged or of another contract. */
async function readUnlessDamaged(store: Store, snapshot: EarlierSnapshot): Promise<Manifest | undefined> {
  try {
    return await readManifest(store, snapshot);
  } catch (error) {
    if (error instanceof OtherContract || error instanceof UpstreamBadResponse) return undefined;
    throw error;
  }
}

/** The earlier snapshots that retention keeps; `retained` are newest first. */
export const keptSnapshots = <T extends Lifetime>(retained: readonly T[], options: KeepOptions): T[] =>
  retained.filter((snapshot, index) => isKept(snapshot, index, options));

async function staying(
  store: Store,
  { retained, snapshot }: StoredPointer,
  options: CollectOptions,
): Promise<EarlierSnapshot[]> {
  const kept = keptSnapshots(retained, options);
  if (!options.coversParts) return kept;
  const stay: EarlierSnapshot[] = [];
  const newer = [snapshot];
  for (const earlier of retained) {
    const manifest = (await options.manifestOf?.(earlier)) ?? (await readUnlessDamaged(store, earlier));
    // An unreadable manifest may have any partition.
    if (manifest && !kept.includes(earlier) && newer.some((other) => covers(other, manifest))) continue;
    stay.push(earlier);
    if (manifest) newer.push(manifest);
  }
  return stay;
}

type Lifetime = Pick<EarlierSnapshot, "createdAt" | "replacedAt" | "isKept">;

/** True for a snapshot that retention keeps, for the newest ones, and for one that a reader may still have open. */
function isKept(
  snapshot: Lifetime,
  index: number,
  { keepMs = 3_600_000, keepSnapshots = 1, now, retain }: KeepOptions,
): boolean {
  const isRecent = Date.parse(snapshot.replacedAt) > now.getTime() - keepMs;
  return snapshot.isKept || isRecent || index + 1 < keepSnapshots || isRetained(snapshot, retain, now);
}

/** True when `newer` is of the same campus and has every term, year and month that `older` has. */
const covers = (newer: Manifest, older: Manifest): boolean =>
  isSameCampus(newer.source, older.source) &&
  older.files.every((file) => newer.files.some((other) => samePart(file, other)));

/** The keys of the objects that these snapshots name. */
async function namedObjects(
  store: Store,
  { retained, snapshot }: Pick<StoredPointer, "retained"> & { readonly snapshot: Manifest | undefined },
  problems: string[],
  { manifestOf }: CollectOptions,
): Promise<Set<string>> {
  const named = new Set((snapshot?.files ?? []).map(({ path }) => path));
  for (const earlier of retained) {
    const manifest = await manifestOf?.(earlier);
    const paths = manifest ? manifest.files.map(({ path }) => path) : await readPaths(store, earlier);
    if (paths === "damaged")
      problems.push(`the manifest of the retained snapshot ${earlier.id} cannot be read: no object is removed`);
    else for (const path of paths) named.add(path);
  }
  return named;
}

/**
 * Returns the paths in a manifest of any contract; none when the store does not have it, such as an earlier snapshot of
 * a replica. Hundreds of large documents are searched in a fraction of the time that parsing them takes.
 */
async function readPaths(store: Store, snapshot: EarlierSnapshot): Promise<string[] | "damaged"> {
  const stored = await store.read(snapshotKey(snapshot));
  if (typeof stored !== "object") return [];
  const text = stored.content.toString();
  const isWhole = text.startsWith("{") && text.trimEnd().endsWith("}") && text.includes(`"${snapshot.id}"`);
  return isWhole ? Array.from(text.matchAll(/"path": ?"([^"]+)"/g), ([, path = ""]) => path) : "damaged";
}

/**
 * Returns manifests of snapshots that are not kept. A higher number may belong to a publication in progress, unless
 * nobody else publishes there: then a killed publication left it.
 */
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

/**
 * The objects of a store, whichever snapshot names them: every Parquet file beside them counts as one.
 * @throws UpstreamError
 */
export async function listObjects(store: Store): Promise<Listed[]> {
  const objects: Listed[] = [];
  for (const folder of OBJECT_FOLDERS) objects.push(...(await store.list(folder)));
  return objects.filter(({ key }) => key.endsWith(".parquet") && !key.includes("/_delta_log/"));
}

const sum = (listed: readonly Listed[]): number => listed.reduce((total, { bytes }) => total + bytes, 0);
