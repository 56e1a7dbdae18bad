/** Records which version of each table belongs to which snapshot (`snapshots.json`). */
import { z } from "zod";
import { SNAPSHOTS, type Store } from "../store/store.ts";
import { parseStored } from "../store/manifest.ts";
import type { StoredPointer } from "../store/pointer.ts";

const listedSnapshot = z.object({
  /** The snapshot id. */
  id: z.string(),
  generation: z.int(),
  createdAt: z.iso.datetime(),
  /** Absent for the newest snapshot, and in lists of older versions. */
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
  const stored = await store.read(SNAPSHOTS);
  if (typeof stored !== "object") return { snapshots: [], etag: null };
  return { ...parseStored(listing, stored.content.toString(), SNAPSHOTS, store), etag: stored.etag };
}

export const listingText = (snapshots: readonly ListedSnapshot[]): string =>
  `{"snapshots":[\n${snapshots.map((snapshot) => JSON.stringify(snapshot)).join(",\n")}\n]}\n`;

/**
 * Lists the snapshots of a pointer: the current one with these versions, the others with the versions that they had.
 */
export function listSnapshots(
  { retained, snapshot }: Pick<StoredPointer, "retained" | "snapshot">,
  versions: Readonly<Record<string, number>>,
  listed: readonly ListedSnapshot[],
): ListedSnapshot[] {
  const { createdAt, generation, id } = snapshot;
  const versionsOf = new Map(listed.map((snapshot) => [snapshot.generation, snapshot.versions]));
  return [
    { id, generation, createdAt, versions: { ...versions } },
    // A snapshot that no publisher completed has no version of any table.
    ...retained.flatMap((earlier) => {
      const earlierVersions = versionsOf.get(earlier.generation);
      return earlierVersions ? [{ ...earlier, versions: earlierVersions }] : [];
    }),
  ];
}
