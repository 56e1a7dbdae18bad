/** The generations that can be downloaded: the retained ones, by their manifests. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { type Manifest, manifest, type PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { listGenerations } from "../../snapshot/generation.ts";

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
      const match = all.find((one) => one === name) ?? all.find((one) => idOf(one) === idOf(name));
      if (match === undefined) return undefined;
      const cached = cache.get(match);
      if (cached) return cached;
      const read = await readRetained(join(artifactsDir, "generations", match)).catch(() => undefined);
      if (read) cache.set(match, read);
      return read;
    },
  };
}

/** The snapshot id in a generation's name; else the name itself. */
const idOf = (name: string): string => /^\d+-([0-9a-f]{16})$/.exec(name)?.[1] ?? name;

async function readRetained(folder: string): Promise<RetainedGeneration> {
  const parsed = manifest.parse(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  return { folder, manifest: parsed, files: new Map(parsed.files.map((file) => [file.path, file])) };
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
