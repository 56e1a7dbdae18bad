/** Removes old generations, and the leftovers of killed runs. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { EarlierSnapshot } from "../contract/documents/manifest.ts";
import { type Disk, nodeDisk } from "./disk.ts";
import { DamagedGeneration, readManifest } from "../generations/manifest.ts";
import { generationFolder, listGenerations, readCurrentName } from "../generations/generation.ts";
import { generationName, layoutOf } from "../generations/layout.ts";
import { filesBelow, findForeign } from "../generations/verify.ts";
import { isRetained, type Retention } from "../contract/retention.ts";

export interface CollectOptions {
  /** The least number of generations to keep, the current one included. */
  readonly keepGenerations?: number;
  /** How long a replaced generation is kept for its readers, in milliseconds. */
  readonly keepMs?: number;
  /** Which snapshots are retained besides; none by default. */
  readonly retain?: Retention;
  readonly now: Date;
  readonly disk?: Disk;
  /** Folders below staging that are in use. */
  readonly ownFolders?: readonly string[];
}

export interface Collected {
  readonly removed: string[];
  /** What no manifest names, removed. */
  readonly foreign: string[];
  readonly generations: number;
  /** A file shared by hard links counts once. */
  readonly freedBytes: number;
  readonly keptBytes: number;
  /** What could not be removed. The next run tries again. */
  readonly problems: string[];
}

/**
 * Removes generations that are neither among the newest nor recently replaced nor retained, those with what was taken down, and leftovers in staging. It keeps the current generation
 * and newer ones, and all of them while `current` is broken. From those that stay it removes what their manifests do not name, unless every copy is wanted.
 * Requires the lock: only then are other staging folders leftovers.
 */
export async function collect(artifacts: string, options: CollectOptions): Promise<Collected> {
  const { keepGenerations = 3, keepMs = 3_600_000, retain, now, disk = nodeDisk, ownFolders } = options;
  const layout = layoutOf(artifacts);
  const removed: string[] = [];
  const foreign: string[] = [];
  const problems: string[] = [];
  const attempt = async (what: string, action: () => Promise<void>): Promise<boolean> => {
    try {
      await action();
      return true;
    } catch (error) {
      problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };

  const replacedBefore = now.getTime() - keepMs;
  const outdatedNames = await outdated(disk, artifacts, { keepGenerations, replacedBefore, retain, now });
  const unforgotten = (await withForgotten(artifacts, disk)).filter((name) => !outdatedNames.includes(name));
  for (const name of [...outdatedNames, ...unforgotten]) {
    // Renamed first, so that a folder with a generation's name is always complete.
    const trash = join(layout.staging, `trash-${randomUUID()}`);
    const gone = await attempt(name, async () => {
      await disk.mkdir(layout.staging);
      await disk.rename(join(layout.generations, name), trash);
    });
    if (gone) removed.push(name);
  }
  // Else a power loss could leave the name, and not all of the files.
  if (removed.length > 0) await attempt("generations", () => disk.syncFolder(layout.generations));
  for (const { name } of Number.isFinite(keepGenerations) ? await listGenerations(artifacts, disk) : [])
    await attempt(name, async () => {
      const folder = generationFolder(artifacts, name);
      const manifest = (await disk.stat(folder))?.kind === "folder" ? await readSound(folder, disk) : undefined;
      for (const path of manifest ? await findForeign({ folder, manifest }, disk) : []) {
        await disk.rm(join(folder, path));
        foreign.push(`${name}/${path}`);
      }
    });
  const left = await collectLeftovers(artifacts, { disk, ...(ownFolders === undefined ? {} : { ownFolders }) });
  problems.push(...left.problems);
  const kept = await listGenerations(artifacts, disk);
  const keptBytes = await publishedBytes(layout.generations, kept, disk);
  return { removed, foreign, generations: kept.length, freedBytes: left.freedBytes, keptBytes, problems };
}

const readSound = (folder: string, disk: Disk) => readManifest(folder, disk).catch(() => undefined);

/** From the manifests, without a look at every file. A path names its content, so a file that several list counts once. */
async function publishedBytes(folder: string, kept: readonly { name: string }[], disk: Disk): Promise<number> {
  const bytesOf = new Map<string, number>();
  for (const { name } of kept) {
    const manifest = await readSound(join(folder, name), disk);
    for (const { path, bytes } of manifest?.files ?? []) bytesOf.set(path, bytes);
  }
  return sum(bytesOf.values());
}

/** Removes what killed runs left in staging, before a run writes anything: they may fill the disk. Requires the lock. */
export async function collectLeftovers(
  artifacts: string,
  { disk = nodeDisk, ownFolders = [] }: { disk?: Disk; ownFolders?: readonly string[] } = {},
): Promise<Pick<Collected, "freedBytes" | "problems">> {
  const { staging } = layoutOf(artifacts);
  const problems: string[] = [];
  let freedBytes = 0;
  for (const name of await disk.readdir(staging)) {
    const path = join(staging, name);
    if (ownFolders.includes(path)) continue;
    try {
      const bytes = await onlyBytesBelow(path, disk);
      await disk.rm(path);
      freedBytes += bytes;
    } catch (error) {
      problems.push(`staging/${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { freedBytes, problems };
}

interface Outdated {
  readonly now: Date;
  readonly retain: Retention | undefined;
  readonly keepGenerations: number;
  /** In milliseconds since 1970. */
  readonly replacedBefore: number;
}

/** Older than the current generation, beyond the number to keep, replaced before that time, and not retained. */
async function outdated(disk: Disk, artifacts: string, options: Outdated): Promise<string[]> {
  const { keepGenerations, now, replacedBefore, retain } = options;
  const current = await readInService(artifacts, disk);
  if (!current) return [];
  const { inService, snapshots } = current;
  const all = (await listGenerations(artifacts, disk)).toReversed();
  const at = all.findIndex(({ name }) => name === inService);
  const retained = new Set(
    snapshots
      .filter((snapshot) => retain && isRetained(snapshot, retain, now))
      .map(({ id, generation }) => generationName(generation, id)),
  );
  const beyond = all.slice(0, Math.max(0, at + 1 - keepGenerations));
  const stays = await Promise.all(
    beyond.map(async ({ name }) => {
      // Publishing the next generation touches the folder.
      const lastInService = (await disk.stat(generationFolder(artifacts, name)))?.modifiedMs ?? Infinity;
      return lastInService >= replacedBefore || retained.has(name);
    }),
  );
  return beyond.filter((_, index) => !stays[index]).map(({ name }) => name);
}

/** The generations from before something was taken down, once the current one is without it: nobody needs them for anything. */
async function withForgotten(artifacts: string, disk: Disk): Promise<string[]> {
  const current = await readInService(artifacts, disk);
  if (current?.forgotten === undefined) return [];
  const names: string[] = [];
  for (const { name } of await listGenerations(artifacts, disk))
    if ((await readSound(generationFolder(artifacts, name), disk))?.forgotten !== current.forgotten) names.push(name);
  return names;
}

/** The current generation, and the earlier snapshots that its manifest lists; undefined when it cannot be read. */
async function readInService(
  artifacts: string,
  disk: Disk,
): Promise<{ inService: string; snapshots: EarlierSnapshot[]; forgotten: string | undefined } | undefined> {
  try {
    const inService = await readCurrentName(artifacts, disk);
    if (inService === undefined) return undefined;
    const { forgotten, snapshots } = await readManifest(generationFolder(artifacts, inService), disk);
    return { inService, snapshots, forgotten };
  } catch (error) {
    if (error instanceof DamagedGeneration) return undefined;
    throw error;
  }
}

/** The bytes of the files below a folder that have no other name: what removing it frees. */
async function onlyBytesBelow(path: string, disk: Disk): Promise<number> {
  const entry = await disk.stat(path);
  if (entry?.kind !== "folder") return entry?.kind === "file" && entry.links === 1 ? entry.bytes : 0;
  let bytes = 0;
  for (const name of await disk.readdir(path)) bytes += await onlyBytesBelow(join(path, name), disk);
  return bytes;
}

/** The bytes of all files below a folder. A file shared by hard links counts once. */
export async function bytesBelow(folder: string, disk: Disk = nodeDisk): Promise<number> {
  const bytesOf = new Map<number, number>();
  for (const path of await filesBelow(disk, folder)) {
    const entry = await disk.stat(join(folder, path));
    if (entry) bytesOf.set(entry.inode, entry.bytes);
  }
  return sum(bytesOf.values());
}

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, bytes) => total + bytes, 0);
