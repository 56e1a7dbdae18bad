/**
 * Restores objects that a store has lost. Objects are named by their hash, so an object with the same key in any other
 * store is identical: a backup, a checkout, a bucket.
 */
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { UpstreamError } from "../errors.ts";
import type { LostFile } from "./file-check.ts";
import { type FetchOptions, fetchObjects } from "./copy.ts";
import type { Store, StoreReader } from "./store.ts";

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
