/** Removes expired data from the artifacts folder, and the leftovers of killed runs. */
import { join } from "node:path";
import type { Retention } from "../contract/retention.ts";
import { listGenerations, readCurrent } from "./published.ts";
import { layoutOf, nameOf, objectBytes } from "./layout.ts";
import { findForeign } from "./verify.ts";
import { collect as collectStore } from "./collect.ts";
import { readPointer } from "./pointer.ts";
import { removeCheckouts } from "./checkout.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { artifactsStore } from "./folder.ts";

export interface CollectOptions {
  /** The least number of snapshots to keep, the current one included; Infinity keeps all, and every object. */
  readonly keepGenerations?: number;
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
export async function collect(artifacts: string, options: CollectOptions): Promise<Collected> {
  const { keepGenerations = 3, keepMs = 3_600_000, retain = NOTHING, now, disk = nodeDisk, ownFolders } = options;
  const store = artifactsStore(artifacts, disk);
  const pointer = await readPointer(store).catch(() => undefined);
  const problems: string[] = [];
  const foreign: string[] = [];
  const result = {
    removed: [] as string[],
    missing: [] as readonly string[],
    generations: 0,
    keptBytes: undefined as number | undefined,
    freedBytes: 0,
  };
  if (typeof pointer === "object" && Number.isFinite(keepGenerations))
    try {
      const collected = await collectStore(store, pointer, { now, retain, keepMs, keepSnapshots: keepGenerations });
      result.removed.push(...collected.removed.flatMap((key) => /^snapshots\/(.*)\.json$/.exec(key)?.[1] ?? []));
      result.freedBytes = collected.freedBytes;
      result.keptBytes = collected.keptBytes;
      result.missing = collected.missing;
      problems.push(...collected.problems);
      if (collected.problems.length === 0) foreign.push(...(await removeForeign(artifacts, collected.named, disk)));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  const left = await collectLeftovers(artifacts, { disk, ...(ownFolders === undefined ? {} : { ownFolders }) });
  problems.push(...left.problems);
  const current = await readCurrent(artifacts, disk).catch(() => undefined);
  if (current) {
    const recent = current.retained.filter(({ replacedAt }) => Date.parse(replacedAt) >= now.getTime() - keepMs);
    const kept = [current.manifest, ...recent].map(nameOf);
    await removeCheckouts(artifacts, new Set(kept), disk);
  }
  result.generations = (await listGenerations(artifacts, disk)).length;
  const keptBytes = result.keptBytes ?? (await objectBytes(artifacts, disk));
  return { ...result, keptBytes, freedBytes: result.freedBytes + left.freedBytes, foreign, problems };
}

/** Removes foreign files beside the objects of the snapshots. Returns the paths. */
async function removeForeign(artifacts: string, named: ReadonlySet<string>, disk: Disk): Promise<string[]> {
  const foreign = await findForeign(artifacts, named, disk);
  for (const path of foreign) await disk.rm(join(artifacts, path));
  return foreign;
}

/**
 * Removes leftovers of killed runs from staging, before a run writes anything: they may fill the disk. Requires the
 * lock.
 */
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

/** Counts the bytes of files below a folder that have no other hard link: removing it frees them. */
async function onlyBytesBelow(path: string, disk: Disk): Promise<number> {
  const entry = await disk.stat(path);
  if (entry?.kind !== "folder") return entry?.kind === "file" && entry.links === 1 ? entry.bytes : 0;
  let bytes = 0;
  for (const name of await disk.readdir(path)) bytes += await onlyBytesBelow(join(path, name), disk);
  return bytes;
}
