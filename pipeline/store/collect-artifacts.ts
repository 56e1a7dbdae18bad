/** Removes expired data from the artifacts folder, and the leftovers of killed runs. */
import { join } from "node:path";
import type { Retention } from "../contract/retention.ts";
import { listPublished, readCurrent } from "./published.ts";
import { layoutOf, nameOf, objectBytes } from "./layout.ts";
import { findForeign } from "./verify.ts";
import { collect } from "./collect.ts";
import { readPointer } from "./pointer.ts";
import { removeCheckouts } from "./checkout.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { artifactsStore } from "./folder.ts";

export interface CollectOptions {
  /** The least number of snapshots to keep, the current one included; Infinity keeps all, and every object. */
  readonly keepSnapshots?: number;
  /** A replaced snapshot is kept for its readers this long, in milliseconds. */
  readonly keepMs?: number;
  /** The retention of earlier snapshots; none by default. */
  readonly retain?: Retention;
  readonly now: Date;
  readonly disk?: Disk;
  /** Folders below staging that are in use. */
  readonly ownFolders?: readonly string[];
}

/** For the report. */
export interface Collected {
  /** Names of removed snapshots. */
  readonly removed: string[];
  /** Removed files that no manifest names. */
  readonly foreign: string[];
  readonly generations: number;
  readonly freedBytes: number;
  /** The bytes of the remaining objects; an object of several snapshots counts once. */
  readonly keptBytes: number;
  /** The keys of objects that a snapshot names and that are not there. */
  readonly missing: readonly string[];
  /** Describes failed removals. The next run tries again. */
  readonly problems: string[];
}

const NOTHING: Retention = { hours: 0, days: 0, months: 0 };

/**
 * Collects the artifacts folder: snapshots that are neither among the newest nor recently replaced nor retained, files
 * that no manifest names, checkouts of replaced snapshots, and leftovers in staging. Keeps everything while the pointer
 * cannot be read. Requires the lock: only then are other staging folders leftovers.
 */
export async function collectArtifacts(artifacts: string, options: CollectOptions): Promise<Collected> {
  const { keepSnapshots: keepGenerations = 3, keepMs = 3_600_000, retain = NOTHING, now, disk = nodeDisk } = options;
  const store = artifactsStore(artifacts, disk);
  const pointer = await readPointer(store).catch(() => undefined);
  const problems: string[] = [];
  let collected: Awaited<ReturnType<typeof collect>> | undefined;
  let foreign: string[] = [];
  if (typeof pointer === "object" && Number.isFinite(keepGenerations))
    try {
      collected = await collect(store, pointer, { now, retain, keepMs, keepSnapshots: keepGenerations });
      problems.push(...collected.problems);
      if (problems.length === 0) foreign = await findForeign(artifacts, collected.named, disk);
      for (const path of foreign) await disk.rm(join(artifacts, path));
    } catch (error) {
      problems.push(messageOf(error));
    }
  const left = await collectLeftovers(artifacts, options);
  const current = await readCurrent(artifacts, disk).catch(() => undefined);
  if (current) {
    const recent = current.retained.filter(({ replacedAt }) => Date.parse(replacedAt) >= now.getTime() - keepMs);
    await removeCheckouts(artifacts, new Set([current.manifest, ...recent].map(nameOf)), disk);
  }
  return {
    removed: (collected?.removed ?? []).flatMap((key) => /^snapshots\/(.*)\.json$/.exec(key)?.[1] ?? []),
    foreign,
    generations: (await listPublished(artifacts, disk)).length,
    freedBytes: (collected?.freedBytes ?? 0) + left.freedBytes,
    keptBytes: collected?.keptBytes ?? (await objectBytes(artifacts, disk)),
    missing: collected?.missing ?? [],
    problems: [...problems, ...left.problems],
  };
}

/**
 * Removes leftovers of killed runs from staging, before a run writes anything: they may fill the disk. Requires the
 * lock.
 */
export async function collectLeftovers(
  artifacts: string,
  { disk = nodeDisk, ownFolders = [] }: Pick<CollectOptions, "disk" | "ownFolders"> = {},
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
      problems.push(`staging/${name}: ${messageOf(error)}`);
    }
  }
  return { freedBytes, problems };
}

/** Counts the bytes of files below a folder that have no other hard link: removing it frees them. */
async function onlyBytesBelow(path: string, disk: Disk): Promise<number> {
  const entry = await disk.stat(path);
  if (entry?.kind !== "folder") return entry?.kind === "file" && entry.links === 1 ? entry.bytes : 0;
  let bytes = 0;
  for (const name of await disk.readdir(path)) bytes += await onlyBytesBelow(join(path, name), disk);
  return bytes;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
