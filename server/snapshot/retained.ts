/** The snapshots that are still on disk: those of the current manifest whose folders exist. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type RetainedSnapshot, snapshotsOf } from "../../pipeline/contract/as-of.ts";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import { listGenerations } from "./generation.ts";
import type { Snapshot } from "./snapshot.ts";

export interface Retained extends RetainedSnapshot {
  /** Of its generation. */
  readonly folderName: string;
}

export interface Served {
  readonly folderName: string;
  readonly snapshot: Snapshot;
}

/** A folder's time does not tell two changes apart that follow each other faster. */
const SETTLED_MS = 1_000;

/** Returns the function that lists them: the current one, then the earlier ones, newest first; without a current one none. */
export function retainedSnapshots(
  artifactsDir: string,
  current: () => Served | undefined,
): () => Promise<readonly Retained[]> {
  /** What was found, and when the folder had changed last. */
  let listed: { manifest: Manifest; changedAt: number; retained: readonly Retained[] } | undefined;
  return async () => {
    const served = current();
    if (!served) return [];
    const { manifest } = served.snapshot.generation;
    const changedAt = statSync(join(artifactsDir, "generations"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (listed?.manifest === manifest && listed.changedAt === changedAt) return listed.retained;
    const isSettled = Date.now() - changedAt > SETTLED_MS;
    const onDisk = new Set(await listGenerations(artifactsDir));
    const [now, ...earlier] = snapshotsOf(manifest).map((one) => ({
      ...one,
      folderName: `${one.generation}-${one.id}`,
    }));
    const retained = [
      { ...(now as Retained), folderName: served.folderName },
      ...earlier.filter(({ folderName }) => onDisk.has(folderName)),
    ];
    listed = isSettled ? { manifest, changedAt, retained } : undefined;
    return retained;
  };
}
