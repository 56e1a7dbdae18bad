/**
 * Lists and reads the retained snapshots. They are on disk; a replica downloads those of its origin on
 * first use.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Manifest } from "../../pipeline/contract/documents/manifest.ts";
import {
  type PublishedSnapshot,
  knownSnapshots,
  needsMigration,
  type Retained,
  retainedSnapshots,
  readLocalManifest,
} from "../../pipeline/store/published.ts";
import type { OriginSnapshots } from "../../pipeline/store/earlier-snapshots.ts";
import { DamagedSnapshot, isOlder, OtherContract } from "../../pipeline/store/manifest.ts";
import { diskReader } from "../../pipeline/disk/disk.ts";
import { layoutOf } from "../../pipeline/store/layout.ts";
import type { Snapshot } from "./snapshot.ts";

export type { Retained };

export interface Served {
  readonly folderName: string;
  readonly snapshot: Snapshot;
}

/** An earlier snapshot cannot be used now. The message is for clients. */
export class HistoryBusy extends Error {
  override name = "HistoryBusy";
  constructor(message = "Too many earlier snapshots are in use. Please try again in a few seconds.") {
    super(message);
  }
}

/** A snapshot of an older contract. The message is for clients. */
export class NeedsMigration extends Error {
  override name = "NeedsMigration";
}

export type EarlierSnapshots = ReturnType<typeof createEarlierSnapshots>;

/** How long a request waits for files of the origin. */
const MAX_WAIT_MS = 10_000;
const CANNOT_COME =
  "This snapshot cannot be copied from the server that is followed. Please try again in a few minutes.";
const IS_COMING = "This snapshot is being copied from the server that is followed. Please try again in a few seconds.";

/** @param origin undefined unless this is a replica */
export function createEarlierSnapshots(
  artifactsDir: string,
  current: () => Served | undefined,
  origin: OriginSnapshots | undefined,
) {
  const listRetained = cachedRetained(current, origin !== undefined);
  /** The folder names of snapshots that the origin no longer has. */
  const gone = new Set<string>();

  function assertExists({ folderName }: Retained, isThere: boolean): void {
    if (isThere) return;
    gone.add(folderName);
    throw new DamagedSnapshot(`${folderName} is gone`);
  }

  function isGone({ folderName, id }: Retained): boolean {
    const served = current();
    const listed = origin?.earlierThan(served?.snapshot.id ?? "");
    return gone.has(folderName) || (folderName !== served?.folderName && listed?.has(id) === false);
  }

  const { snapshots } = layoutOf(artifactsDir);
  // The manifest comes last.
  const isHere = ({ folderName }: Retained): boolean => existsSync(join(snapshots, `${folderName}.json`));
  const toPublished = (manifest: Manifest): PublishedSnapshot => ({ folder: artifactsDir, manifest, retained: [] });

  /**
   * Reads a snapshot of this contract or an older one, whose files may be missing. @throws DamagedSnapshot when its
   * manifest cannot be read; HistoryBusy
   */
  async function readSnapshot(snapshot: Retained): Promise<PublishedSnapshot> {
    const served = current();
    if (served?.folderName === snapshot.folderName) return served.snapshot.published;
    if (!origin || isHere(snapshot))
      return toPublished(await readLocalManifest(artifactsDir, snapshot.folderName, diskReader, isOlder));
    const manifest = await origin.readManifest(snapshot).catch((error: unknown) => {
      throw error instanceof DamagedSnapshot ? error : new HistoryBusy(CANNOT_COME);
    });
    assertExists(snapshot, manifest !== undefined);
    return toPublished(manifest as Manifest);
  }

  /**
   * Downloads the files of a snapshot, if this is a replica. @throws DamagedSnapshot when they are gone; HistoryBusy,
   * NeedsMigration
   */
  async function download(snapshot: Retained): Promise<void> {
    if (!origin || isHere(snapshot)) return;
    // The download continues after the request has stopped waiting.
    const downloaded = Promise.race([origin.fetch(snapshot), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    const isThere = await downloaded.catch((error: unknown) => {
      throw error instanceof OtherContract
        ? new NeedsMigration(needsMigration(snapshot.id, error.contract), { cause: error })
        : new HistoryBusy(CANNOT_COME);
    });
    if (isThere === undefined) throw new HistoryBusy(IS_COMING);
    assertExists(snapshot, isThere);
  }

  return {
    /** Lists the current snapshot, then the retained earlier ones, newest first; without a current one none. */
    retained: async (): Promise<readonly Retained[]> => (await listRetained()).filter((snapshot) => !isGone(snapshot)),
    readGeneration: readSnapshot,
    download,
    /** Downloads the files and reads the snapshot. @throws as both */
    async readComplete(snapshot: Retained): Promise<PublishedSnapshot> {
      await download(snapshot);
      return readSnapshot(snapshot);
    },
  };
}

export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedSnapshot)) throw error;
}

/** Returns undefined when its manifest is missing or damaged. @throws HistoryBusy */
export const readUnlessDamaged = (
  { readGeneration }: Pick<EarlierSnapshots, "readGeneration">,
  snapshot: Retained,
): Promise<PublishedSnapshot | undefined> => readGeneration(snapshot).catch(unlessDamaged);

/** Changes that follow each other faster may leave a folder with the same time. */
const SETTLED_MS = 1_000;

/**
 * Returns a function that lists the retained snapshots: the current one, then the earlier ones, newest first; none
 * without a current one. A replica has those of its origin. Lists again when the folder of the snapshots has changed.
 */
function cachedRetained(current: () => Served | undefined, isReplica: boolean): () => Promise<readonly Retained[]> {
  /** The last list, and when the folder had last changed. */
  let listed: { published: PublishedSnapshot; changedAt: number; retained: readonly Retained[] } | undefined;
  return async () => {
    const published = current()?.snapshot.published;
    if (!published) return [];
    if (isReplica) return knownSnapshots(published);
    const changedAt = statSync(layoutOf(published.folder).snapshots, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (listed?.published === published && listed.changedAt === changedAt) return listed.retained;
    const isSettled = Date.now() - changedAt > SETTLED_MS;
    const retained = await retainedSnapshots(published);
    listed = isSettled ? { published, changedAt, retained } : undefined;
    return retained;
  };
}
