/** Removes old generations, and the leftovers of killed runs. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Disk, nodeDisk } from "./disk.ts";
import { generationNames } from "./generation.ts";
import { layoutOf, parseGenerationName } from "./layout.ts";

export interface CollectOptions {
  /** The least number of generations to keep, the current one included. */
  readonly keepGenerations?: number;
  /** How long a replaced generation is kept for its readers, in milliseconds. */
  readonly keepMs?: number;
  readonly now: Date;
  readonly disk?: Disk;
  /** The staging folder of this run, which is kept. */
  readonly ownFolder?: string;
}

export interface Collected {
  readonly removed: string[];
  readonly generations: number;
  /** A file shared by hard links counts once. */
  readonly freedBytes: number;
  readonly keptBytes: number;
  /** What could not be removed. The next run tries again. */
  readonly problems: string[];
}

/**
 * Removes generations that are neither among the newest nor recently replaced, and leftovers in staging. It keeps the current generation and newer
 * ones, and all of them while `current` is broken. Requires the lock: only then are other staging folders leftovers.
 */
export async function collect(artifacts: string, options: CollectOptions): Promise<Collected> {
  const { keepGenerations = 3, keepMs = 3_600_000, now, disk = nodeDisk, ownFolder } = options;
  const layout = layoutOf(artifacts);
  const before = await inodesBelow(disk, artifacts);
  const removed: string[] = [];
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

  for (const name of await outdated(disk, artifacts, keepGenerations, now.getTime() - keepMs)) {
    // Renamed first, so that a folder with a generation's name is always complete.
    const trash = join(layout.staging, `trash-${randomUUID()}`);
    const gone = await attempt(name, async () => {
      await disk.mkdir(layout.staging);
      await disk.rename(join(layout.generations, name), trash);
    });
    if (gone) removed.push(name);
  }
  problems.push(...(await collectLeftovers(artifacts, { disk, ...(ownFolder === undefined ? {} : { ownFolder }) })));

  const after = await inodesBelow(disk, artifacts);
  return {
    removed,
    generations: (await generationNames(layout.generations, disk)).length,
    freedBytes: sum([...before].filter(([inode]) => !after.has(inode))),
    keptBytes: await bytesBelow(layout.generations, disk),
    problems,
  };
}

/**
 * Removes what killed runs left in staging, before a run writes anything: they may fill the disk. Requires the lock.
 * Returns what could not be removed.
 */
export async function collectLeftovers(
  artifacts: string,
  { disk = nodeDisk, ownFolder }: { disk?: Disk; ownFolder?: string } = {},
): Promise<string[]> {
  const { staging } = layoutOf(artifacts);
  const problems: string[] = [];
  for (const name of await disk.readdir(staging)) {
    const path = join(staging, name);
    if (path === ownFolder) continue;
    await disk.rm(path).catch((error: unknown) => {
      problems.push(`staging/${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return problems;
}

/** Older than the current generation, beyond the number to keep, and replaced before `deadline`. */
async function outdated(disk: Disk, artifacts: string, keep: number, deadline: number): Promise<string[]> {
  const layout = layoutOf(artifacts);
  if ((await disk.stat(layout.current))?.kind !== "link") return [];
  const inService = parseGenerationName((await disk.readlink(layout.current)).replace(/^generations\//, ""));
  const all = await generationNames(layout.generations, disk);
  const at = all.findIndex(({ generation, id }) => generation === inService?.generation && id === inService.id);
  if (at < 0) return [];
  const beyond = all.slice(0, Math.max(0, at + 1 - keep));
  const stays = await Promise.all(
    beyond.map(async ({ name }) => {
      // Publishing the next generation touches the folder.
      const lastInService = (await disk.stat(join(layout.generations, name)))?.modifiedMs ?? Infinity;
      return lastInService >= deadline;
    }),
  );
  return beyond.filter((_, index) => !stays[index]).map(({ name }) => name);
}

async function inodesBelow(disk: Disk, path: string, found = new Map<number, number>()): Promise<Map<number, number>> {
  const entry = await disk.stat(path);
  if (entry?.kind === "file") found.set(entry.inode, entry.bytes);
  if (entry?.kind === "folder") {
    for (const name of await disk.readdir(path)) await inodesBelow(disk, join(path, name), found);
  }
  return found;
}

/** The bytes of all files below a folder. A file shared by hard links counts once. */
export const bytesBelow = async (path: string, disk: Disk = nodeDisk): Promise<number> =>
  sum(await inodesBelow(disk, path));

const sum = (sizes: Iterable<[number, number]>): number => [...sizes].reduce((total, [, bytes]) => total + bytes, 0);
