/**
 * The snapshots that can be asked for: those that are still on disk, listed again when the folder of the generations
 * has changed.
 */
import { statSync } from "node:fs";
import { layoutOf } from "../../pipeline/store/layout.ts";
import { knownSnapshots, type Retained, retainedSnapshots } from "../../pipeline/store/published.ts";
import type { Generation } from "./generation.ts";
import type { Snapshot } from "./snapshot.ts";

export type { Retained };

export interface Served {
  readonly folderName: string;
  readonly snapshot: Snapshot;
}

/** A folder's time does not tell two changes apart that follow each other faster. */
const SETTLED_MS = 1_000;

/**
 * Returns the function that lists them: the current one, then the earlier ones, newest first; without a current one
 * none.
 * @param isFollowing a replica has those of its origin, whose files come when they are asked for
 */
export function cachedRetained(
  current: () => Served | undefined,
  isFollowing: boolean,
): () => Promise<readonly Retained[]> {
  /** What was found, and when the folder had changed last. */
  let listed: { generation: Generation; changedAt: number; retained: readonly Retained[] } | undefined;
  return async () => {
    const generation = current()?.snapshot.generation;
    if (!generation) return [];
    if (isFollowing) return knownSnapshots(generation);
    const changedAt = statSync(layoutOf(generation.folder).snapshots, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (listed?.generation === generation && listed.changedAt === changedAt) return listed.retained;
    const isSettled = Date.now() - changedAt > SETTLED_MS;
    const retained = await retainedSnapshots(generation);
    listed = isSettled ? { generation, changedAt, retained } : undefined;
    return retained;
  };
}
