/** The generations that can be downloaded: the retained ones, by their manifests. */
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Manifest, PublishedFile } from "../../pipeline/contract/documents/manifest.ts";
import { diskReader } from "../../pipeline/disk/disk.ts";
import { listGenerations } from "../../pipeline/store/published.ts";
import { parseGenerationName } from "../../pipeline/store/layout.ts";
import { isOlder, readManifest } from "../../pipeline/store/manifest.ts";

export interface RetainedGeneration {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, PublishedFile>;
}

export interface RetainedGenerations {
  find(name: string): Promise<RetainedGeneration | undefined>;
}

/** Usually more than there are on disk. */
const MAX_CACHED = 32;

export function openRetained(artifactsDir: string): RetainedGenerations {
  const cache = new LRUCache<string, RetainedGeneration>({ max: MAX_CACHED });
  return {
    async find(name) {
      // Compared with the folder's listing: a name from a client never becomes a path. A replica may number its generations differently, but equal
      // snapshot ids mean equal files.
      const all = await listGenerations(artifactsDir);
      const id = parseGenerationName(name)?.id ?? name;
      const match = all.find((one) => one.name === name) ?? all.find((one) => one.id === id);
      if (match === undefined) return undefined;
      const cached = cache.get(match.name);
      if (cached) return cached;
      const read = await readRetained(artifactsDir, match.name).catch(() => undefined);
      if (read) cache.set(match.name, read);
      return read;
    },
  };
}

async function readRetained(folder: string, name: string): Promise<RetainedGeneration> {
  const manifest = await readManifest(folder, name, diskReader, isOlder);
  return { folder, manifest, files: new Map(manifest.files.map((file) => [file.path, file])) };
}

/** Opens a published file; undefined when its generation was deleted, or its size differs from the manifest. */
export async function openPublished(
  { folder }: RetainedGeneration,
  file: PublishedFile,
): Promise<FileHandle | undefined> {
  const opened = await open(join(folder, file.path)).catch(() => undefined);
  if (!opened) return undefined;
  if ((await opened.stat()).size === file.bytes) return opened;
  await opened.close();
  return undefined;
}
