/** Which version of each table belongs to which snapshot (`snapshots.json`), and what of the logs goes with the others. */
import { z } from "zod";
import { SNAPSHOTS, type Listed, type Store } from "../store/store.ts";
import { parseStored } from "../store/manifest.ts";
import type { StoredPointer } from "../store/pointer.ts";
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

/** The list of the snapshots of a pointer: the current one with the given versions, the others with those that they had. */
export function listSnapshots(
  { retained, snapshot }: Pick<StoredPointer, "retained" | "snapshot">,
  versions: Readonly<Record<string, number>>,
  listed: readonly ListedSnapshot[],
): ListedSnapshot[] {
  const { createdAt, generation, id } = snapshot;
  const known = new Map(listed.map((one) => [one.generation, one.versions]));
  return [
    { id, generation, createdAt, versions: { ...versions } },
    // A snapshot that no publisher completed has no version of any table.
    ...retained.flatMap((earlier) => {
      const own = known.get(earlier.generation);
      return own ? [{ ...earlier, versions: own }] : [];
    }),
  ];
}

/** The removed files that a retained version still has. */
export function neededFiles(state: TableState, versions: readonly number[]): Map<string, Remove> {
  const isNeeded = ({ tags }: Remove) =>
    versions.some((version) => Number(tags.since) <= version && version < Number(tags.until));
  return new Map([...state.removed].filter(([, remove]) => isNeeded(remove)));
}

/** A younger object may belong to a publication in progress. */
const isOld = ({ graceMs }: Store, { modifiedMs }: Listed, now: Date): boolean =>
  graceMs === 0 || modifiedMs < now.getTime() - graceMs;

/** Removes what a table's log has before the newest checkpoint that is not newer than every retained version. */
export async function collectLog(store: Store, table: string, oldestRetained: number): Promise<void> {
  const log = (await store.list(logPrefix(table))).flatMap(({ key }) => {
    const version = versionOf(key);
    return version === undefined ? [] : [{ key, version, kind: parseLogKey(key)?.kind }];
  });
  const first = Math.max(
    -1,
    ...log.flatMap(({ kind, version }) => (kind === "checkpoint" && version <= oldestRetained ? [version] : [])),
  );
  for (const { key, version } of log) if (version < first) await store.remove(key);
}

/** Removes what DuckLake wrote beside the tables, through a catalogue of an older version that it could write to. */
export async function collectDuckLakeWrites(store: Store, now: Date): Promise<void> {
  for (const object of await store.list("ducklake-"))
    if (/^ducklake-[0-9a-f-]{36}(-delete)?\.parquet$/.test(object.key) && isOld(store, object, now))
      await store.remove(object.key);
}
