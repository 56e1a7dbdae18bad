/** Which version of each table belongs to which snapshot (`snapshots.json`), which snapshots are retained, and what goes with the others. */
import { z } from "zod";
import { generationName, parseGenerationName } from "../generations/layout.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";
import { isRetained, type Retention } from "../contract/retention.ts";
import { type Listed, manifestKey, SNAPSHOTS, type Store } from "../stores/store.ts";
import { parseStored } from "../stores/stored-json.ts";
import type { Remove, TableState } from "./delta/actions.ts";
import { logPrefix, parseLogKey, versionOf } from "./delta/keys.ts";

const listedSnapshot = z.object({
  /** The snapshot id. */
  id: z.string(),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  /** Absent in the newest, and in lists of older versions. */
  replacedAt: z.iso.datetime().exactOptional(),
  /** The version of each table. */
  versions: z.record(z.string(), z.int()),
});
export type ListedSnapshot = z.infer<typeof listedSnapshot>;

const listing = z.object({ snapshots: z.array(listedSnapshot) });

export interface Listing {
  /** Newest first; none before the first publication is complete. */
  readonly snapshots: readonly ListedSnapshot[];
  readonly etag: string | null;
}

/** @throws UpstreamError */
export async function readListing(store: Store): Promise<Listing> {
  const found = await store.read(SNAPSHOTS);
  if (typeof found !== "object") return { snapshots: [], etag: null };
  return { ...parseStored(listing, found.content.toString(), SNAPSHOTS, store), etag: found.etag };
}

export const listingText = (snapshots: readonly ListedSnapshot[]): string =>
  `{"snapshots":[\n${snapshots.map((snapshot) => JSON.stringify(snapshot)).join(",\n")}\n]}\n`;

/** Puts a snapshot on top of the list. The same one with other versions of its tables takes its own place. */
export function withNewest(newest: ListedSnapshot, listed: readonly ListedSnapshot[]): ListedSnapshot[] {
  const [replaced, ...earlier] = listed.filter(({ generation }) => generation !== newest.generation);
  return replaced ? [newest, { ...replaced, replacedAt: newest.createdAt }, ...earlier] : [newest];
}

/** The newest snapshot, and those that are retained (pipeline/RULES.md, Snapshots); `snapshots` are newest first. */
export const retainedSnapshots = (
  snapshots: readonly ListedSnapshot[],
  { now, retain }: { now: Date; retain: Retention },
): ListedSnapshot[] =>
  snapshots.filter(({ createdAt, replacedAt }, at) => {
    const newer = snapshots[at - 1];
    return !newer || isRetained({ createdAt, replacedAt: replacedAt ?? newer.createdAt }, retain, now);
  });

/** The removed files that a retained version still has. */
export function neededFiles(state: TableState, versions: readonly number[]): Map<string, Remove> {
  const isNeeded = ({ tags }: Remove) =>
    versions.some((version) => Number(tags.since) <= version && version < Number(tags.until));
  return new Map([...state.removed].filter(([, remove]) => isNeeded(remove)));
}

/** A younger object may belong to a publication in progress. */
const isOld = ({ graceMs }: Store, { modifiedMs }: Listed, now: Date): boolean =>
  graceMs === 0 || modifiedMs < now.getTime() - graceMs;

const isParquet = (key: string): boolean => key.endsWith(".parquet");

/**
 * Removes the Parquet files in a table's folder that are neither in the newest version nor needed (replaced ones,
 * those of a publication that did not become current, and those of other writers), and what its log has before the
 * newest checkpoint that is not newer than every retained version. Files of other kinds stay.
 * @returns the keys of its objects before that
 */
export async function collectTable(
  store: Store,
  table: string,
  { now, oldestRetained, isKept }: { now: Date; oldestRetained: number; isKept: (path: string) => boolean },
): Promise<ReadonlySet<string>> {
  const objects = await store.list(`${table}/`);
  const log = objects.flatMap(({ key }) => {
    const version = key.startsWith(logPrefix(table)) ? versionOf(key) : undefined;
    return version === undefined ? [] : [{ key, version, kind: parseLogKey(key)?.kind }];
  });
  const first = Math.max(
    -1,
    ...log.flatMap(({ kind, version }) => (kind === "checkpoint" && version <= oldestRetained ? [version] : [])),
  );
  for (const object of objects) {
    const { key } = object;
    if (key.includes("/_delta_log/") || !isParquet(key) || isKept(key.slice(table.length + 1))) continue;
    if (isOld(store, object, now)) await store.remove(key);
  }
  for (const { key, version } of log) if (version < first) await store.remove(key);
  return new Set(objects.map(({ key }) => key));
}

/**
 * Removes the Parquet files below the folder of views that no retained snapshot has. Returns the keys that were
 * there.
 */
export async function collectViews(
  store: Store,
  { now, isKept }: { now: Date; isKept: (key: string) => boolean },
): Promise<ReadonlySet<string>> {
  const objects = await store.list(`${VIEWS_FOLDER}/`);
  for (const object of objects)
    if (isParquet(object.key) && !isKept(object.key) && isOld(store, object, now)) await store.remove(object.key);
  return new Set(objects.map(({ key }) => key));
}

/** Removes what DuckLake wrote beside the tables, through a catalogue of an older version that it could write to. */
export async function collectDuckLakeWrites(store: Store, now: Date): Promise<void> {
  for (const object of await store.list("ducklake-"))
    if (/^ducklake-[0-9a-f-]{36}(-delete)?\.parquet$/.test(object.key) && isOld(store, object, now))
      await store.remove(object.key);
}

/** Removes the manifests of generations that are not retained, and the claims of numbers before the current one. */
export async function collectGenerations(
  store: Store,
  { now, current, retained }: { now: Date; current: number; retained: readonly ListedSnapshot[] },
): Promise<void> {
  const kept = new Set(retained.map(({ generation, id }) => manifestKey(generationName(generation, id))));
  for (const object of await store.list("generations/")) {
    const [, name = "", claimed] = /^generations\/(?:([^/]+)\/manifest|(\d+))\.json$/.exec(object.key) ?? [];
    const number = claimed === undefined ? parseGenerationName(name)?.generation : Number(claimed);
    if (number !== undefined && number < current && !kept.has(object.key) && isOld(store, object, now))
      await store.remove(object.key);
  }
}
