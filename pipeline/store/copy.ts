/**
 * Copies a snapshot, or selected tables of it, from store to store. Objects that the target has are not copied again,
 * every other one is compared with its hash, and an interrupted copy is resumed. Objects that a store has lost come from
 * any other store: an object with the same key is identical.
 */
import { join } from "node:path";
import pLimit from "p-limit";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused } from "../errors.ts";
import { isSound, type LostFile } from "./file-check.ts";
import type { Disk } from "../disk/disk.ts";
import type { Store, StoreReader } from "./store.ts";
import { type Publication, publish } from "./publish.ts";

/** Downloads run in parallel up to this number. */
const DOWNLOADS = 8;

export interface FetchOptions {
  /** Downloads are kept here for the next attempt, by hash. */
  readonly folder: string;
  readonly disk: Disk;
  readonly signal?: AbortSignal;
}

/**
 * Fetches objects to this machine. Returns the path of each by its key.
 * @throws UpstreamError for the first object that cannot be fetched or does not match its hash, after all others have
 *   ended
 */
export async function fetchObjects(
  from: StoreReader,
  files: readonly PublishedFile[],
  { disk, folder, onLost, signal }: FetchOptions & Pick<CopyOptions, "onLost">,
): Promise<ReadonlyMap<string, string>> {
  const failure = new AbortController();
  const signals = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
  const paths = new Map<string, string>();
  /** Objects with the same content share one download. */
  const fetchContent = async (same: readonly PublishedFile[]): Promise<void> => {
    try {
      signals.throwIfAborted();
      const path = await fetchObject(from, same[0] as PublishedFile, { disk, folder, signal: signals });
      for (const file of same) paths.set(file.path, path);
    } catch (error) {
      if (onLost && isLost(error)) for (const file of same) onLost(file);
      else failure.abort(error);
    }
  };
  const limit = pLimit(DOWNLOADS);
  const byHash = new Map<string, PublishedFile[]>();
  for (const file of files) byHash.set(file.sha256, [...(byHash.get(file.sha256) ?? []), file]);
  await Promise.all([...byHash.values()].map((same) => limit(() => fetchContent(same))));
  if (failure.signal.aborted) throw failure.signal.reason;
  return paths;
}

const isLost = (error: unknown): boolean =>
  error instanceof UpstreamBadResponse || (error instanceof UpstreamRefused && error.status === 404);

async function fetchObject(
  from: StoreReader,
  file: PublishedFile,
  { disk, folder, signal }: FetchOptions & { readonly signal: AbortSignal },
): Promise<string> {
  const there = from.locate?.(file.path);
  if (there !== undefined) {
    if (await isSound(there, file, disk)) return there;
    throw new UpstreamBadResponse(from.name, `${file.path} is missing or damaged`);
  }
  const path = join(folder, `${file.sha256}.parquet`);
  await disk.mkdir(folder);
  await from.download(file.path, file.bytes, path, signal);
  const { bytes, sha256 } = await disk.digest(path);
  if (bytes < file.bytes) throw new UpstreamBadResponse(from.name, `${file.path} is truncated`);
  if (sha256 !== file.sha256) {
    // The next attempt starts from the first byte.
    await disk.rm(path);
    throw new UpstreamBadResponse(from.name, `${file.path} has another hash than the manifest says`);
  }
  return path;
}

export interface CopyOptions extends Omit<Publication, "pathOf">, FetchOptions {
  /** Objects that the target has and that are sound. */
  readonly present: ReadonlySet<string>;
  /** Throws for an object that breaks the contract; called with its local path. */
  readonly check?: (file: PublishedFile, path: string) => Promise<void>;
  /** Called for an object that is missing or damaged in the source; by default the copy fails. */
  readonly onLost?: (file: PublishedFile) => void;
  /** Identifies the list of take-downs on this machine, where there is one. */
  readonly mark?: string | undefined;
}

/**
 * Copies a snapshot. Returns the manifest as stored in the target.
 * @throws UpstreamError when the snapshot cannot be copied; LockedError as publish
 */
export async function copy(from: StoreReader, to: Store, options: CopyOptions): Promise<Manifest> {
  const { check, manifest, present } = options;
  assertTakenDown(from, options);
  const missing = manifest.files.filter(({ path }) => !present.has(path));
  const paths = await fetchObjects(from, missing, options);
  const fetched = missing.filter(({ path }) => paths.has(path));
  for (const file of fetched) await check?.(file, paths.get(file.path) as string);
  const added = new Set(fetched.map(({ path }) => path));
  const others = manifest.files.map(({ path }) => path).filter((path) => !added.has(path));
  return publish(to, { ...options, present: new Set(others), pathOf: (key) => paths.get(key) });
}

/**
 * Refuses a snapshot that may contain data that was taken down here: objects are copied unchanged. Without its own list
 * a target accepts every snapshot to which take-downs were applied.
 */
function assertTakenDown(from: StoreReader, { manifest, mark, previous }: CopyOptions): void {
  const isCovered = mark === undefined ? manifest.forgotten !== undefined : manifest.forgotten === mark;
  if (isCovered || (mark === undefined && previous?.snapshot.forgotten === undefined)) return;
  throw new UpstreamRefused(from.name, "still has what was taken down here: take it down there as well");
}

/** `from` names the store that had the object, for the report. */
export interface FilledFile extends LostFile {
  readonly from: string;
}

export interface Filled {
  readonly filled: readonly FilledFile[];
  readonly lost: readonly LostFile[];
}

/**
 * Adds lost objects that other stores have, as copies that share no blocks with them. The first place with a sound
 * object supplies it. Unreachable places are skipped and reported to `onUnreachable`.
 */
export async function fill(
  store: Pick<Store, "addFiles">,
  lost: readonly LostFile[],
  places: readonly StoreReader[],
  { onUnreachable, ...options }: FetchOptions & { readonly onUnreachable: (problem: string) => void },
): Promise<Filled> {
  const filled: FilledFile[] = [];
  let missing = lost;
  for (const place of places) {
    if (missing.length === 0) break;
    try {
      const files = missing.map(({ file }) => file);
      const paths = await fetchObjects(place, files, { ...options, onLost: () => undefined });
      await store.addFiles([...paths].map(([key, path]) => ({ key, at: path })));
      filled.push(...missing.filter(({ file }) => paths.has(file.path)).map((each) => ({ ...each, from: place.name })));
      missing = missing.filter(({ file }) => !paths.has(file.path));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      onUnreachable(error.message);
    }
  }
  return { filled, lost: missing };
}

/** The path of a sound object on this machine, from the first place that has it. @throws UpstreamError */
export async function findObject(
  places: readonly StoreReader[],
  file: PublishedFile,
  options: FetchOptions,
): Promise<string | undefined> {
  for (const place of places) {
    const path = (await fetchObjects(place, [file], { ...options, onLost: () => undefined })).get(file.path);
    if (path !== undefined) return path;
  }
  return undefined;
}
