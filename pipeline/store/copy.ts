/**
 * Copies one snapshot, or the selected tables of it, from store to store. Objects that the target has are not copied
 * again, every other one is compared with its hash, and a copy that was interrupted goes on where it ended.
 */
import { join } from "node:path";
import pLimit from "p-limit";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse, UpstreamRefused } from "../errors.ts";
import { isSound } from "./file-check.ts";
import type { Disk } from "../disk/disk.ts";
import type { Store, StoreReader } from "./store.ts";
import { addManifest, addObjects, type Publication, publish } from "./publish.ts";

/** Downloads at the same time. */
const DOWNLOADS = 8;

export interface FetchOptions {
  /** Downloads are kept here for the next attempt, by hash. */
  readonly folder: string;
  readonly disk: Disk;
  readonly signal?: AbortSignal;
}

/**
 * Brings objects to this machine. Returns the path of each by its key.
 * @throws UpstreamError for the first that cannot be fetched or is not what its hash says, after all others have ended
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
  /** Throws for an object that is not what the contract says; called with its path once it is on this machine. */
  readonly check?: (file: PublishedFile, path: string) => Promise<void>;
  /** Called for an object that the source does not have, or has damaged; by default the copy fails. */
  readonly onLost?: (file: PublishedFile) => void;
  /** Only adds the snapshot: another one stays current. */
  readonly isEarlier?: boolean;
  /** The mark of what was taken down on this machine, where there is a list of it. */
  readonly mark?: string | undefined;
}

/**
 * Returns the manifest as it is in the target.
 * @throws UpstreamError when the snapshot cannot be copied; LockedError as publish
 */
export async function copy(from: StoreReader, to: Store, options: CopyOptions): Promise<Manifest> {
  const { check, isEarlier = false, manifest, present } = options;
  assertTakenDown(from, options);
  const missing = manifest.files.filter(({ path }) => !present.has(path));
  const paths = await fetchObjects(from, missing, options);
  const fetched = missing.filter(({ path }) => paths.has(path));
  for (const file of fetched) await check?.(file, paths.get(file.path) as string);
  const added = new Set(fetched.map(({ path }) => path));
  const others = manifest.files.map(({ path }) => path).filter((path) => !added.has(path));
  const publication = { ...options, present: new Set(others), pathOf: (key: string) => paths.get(key) };
  if (!isEarlier) return publish(to, publication);
  await addObjects(to, publication);
  return addManifest(to, { manifest, previous: undefined });
}

/**
 * Objects are copied as they are, so that a snapshot which may have what was taken down here is refused. Without a list
 * of its own a target accepts every snapshot from which something was taken down.
 */
function assertTakenDown(from: StoreReader, { manifest, mark, previous }: CopyOptions): void {
  const isCovered = mark === undefined ? manifest.forgotten !== undefined : manifest.forgotten === mark;
  if (isCovered || (mark === undefined && previous?.snapshot.forgotten === undefined)) return;
  throw new UpstreamRefused(from.name, "still has what was taken down here: take it down there as well");
}
