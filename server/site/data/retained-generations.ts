/** The generations that can be downloaded: those that are kept on the disk, each by its own manifest and nothing else. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { type Manifest, manifest, type PublishedFile } from "../../../pipeline/contract/manifest.ts";
import { listGenerations } from "../../snapshot/generation.ts";

export interface KeptGeneration {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, PublishedFile>;
}

export interface KeptGenerations {
  /** By its folder's name; undefined when it is not kept (any more). */
  find(name: string): Promise<KeptGeneration | undefined>;
}

/** More are not on the disk at once as a rule. */
const REMEMBERED = 32;

export function openKept(artifactsDir: string): KeptGenerations {
  const known = new LRUCache<string, KeptGeneration>({ max: REMEMBERED });
  return {
    async find(name) {
      // Compared with what is there: nothing that a client sent ever becomes a path. A copy of a server may count its generations in its own way, but
      // what has the same snapshot id has the same files.
      const all = await listGenerations(artifactsDir);
      const own = all.find((one) => one === name) ?? all.find((one) => idOf(one) === idOf(name));
      if (own === undefined) return undefined;
      const remembered = known.get(own);
      if (remembered) return remembered;
      const read = await readKept(join(artifactsDir, "generations", own)).catch(() => undefined);
      if (read) known.set(own, read);
      return read;
    },
  };
}

/** The snapshot id in a generation's name; a name that has none is equal to itself only. */
const idOf = (name: string): string => /^\d+-([0-9a-f]{16})$/.exec(name)?.[1] ?? name;

async function readKept(folder: string): Promise<KeptGeneration> {
  const found = manifest.parse(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  return { folder, manifest: found, files: new Map(found.files.map((file) => [file.path, file])) };
}

/** Opens a listed file for reading; undefined when it went together with its generation, or is not what the manifest says. */
export async function openListed({ folder }: KeptGeneration, file: PublishedFile): Promise<FileHandle | undefined> {
  const opened = await open(join(folder, file.path)).catch(() => undefined);
  if (!opened) return undefined;
  if ((await opened.stat()).size === file.bytes) return opened;
  await opened.close();
  return undefined;
}
