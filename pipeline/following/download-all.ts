/** Copies of published files from another place, each checked against its size and hash. */
import pLimit from "p-limit";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamBadResponse } from "../errors.ts";
import type { Disk } from "../publish/disk.ts";
import type { StoreReader } from "../stores/store.ts";

/** Downloads at the same time. */
const DOWNLOADS = 8;

export interface Download {
  readonly file: PublishedFile;
  readonly key: string;
  /** The path of the copy. */
  readonly at: string;
}

/**
 * Downloads files at the same time, and checks the size and hash of each.
 * @throws UpstreamError the first failure, after all other downloads have ended
 */
export async function downloadAll(
  from: StoreReader,
  downloads: readonly Download[],
  signal: AbortSignal,
  disk: Disk,
): Promise<void> {
  const limit = pLimit(DOWNLOADS);
  const failure = new AbortController();
  const signals = AbortSignal.any([signal, failure.signal]);
  const download = async ({ file, key, at }: Download): Promise<void> => {
    try {
      signals.throwIfAborted();
      await from.download(key, file.bytes, at, signals);
      await expectContent(from, file, at, disk);
    } catch (error) {
      failure.abort(error);
    }
  };
  // Files of one content have one copy.
  const copies = new Map(downloads.map((one) => [one.at, one]));
  await Promise.all([...copies.values()].map((one) => limit(() => download(one))));
  if (failure.signal.aborted) throw failure.signal.reason;
}

/** A file with a wrong hash is removed, so that the next attempt starts from its first byte. */
async function expectContent(
  { name }: StoreReader,
  { path, sha256, bytes }: PublishedFile,
  at: string,
  disk: Disk,
): Promise<void> {
  const found = await disk.digest(at);
  if (found.bytes < bytes) throw new UpstreamBadResponse(name, `${path} is truncated`);
  if (found.sha256 === sha256) return;
  await disk.rm(at);
  throw new UpstreamBadResponse(name, `${path} has another hash than the manifest says`);
}
