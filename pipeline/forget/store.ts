/**
 * Takes down in a place that snapshots are published to: the retained snapshots are rewritten, with the logs of the
 * Delta tables and the list of snapshots before the new ones are in service, and the backups. Each step can be
 * repeated, so that the next run goes on where a killed one ended.
 */
import { backupsBelow } from "../backup/stored-backups.ts";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { completeCurrent } from "../lake/export.ts";
import { readInService } from "../lake/publish.ts";
import { listingText, readListing } from "../lake/retention.ts";
import { findObject } from "../store/fill.ts";
import { rewrite, type RewrittenSnapshots } from "../store/rewrite.ts";
import { SNAPSHOTS, type Store, type StoreReader } from "../store/store.ts";
import { rewriteBackups } from "./backups.ts";
import { rewriteDeltaLog } from "./delta-log.ts";
import type { RewriteContext } from "./rewrite.ts";
import { filesLeft, type Rewriter, type Rewritten } from "./snapshots.ts";

export interface StoreOptions {
  readonly artifacts: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  /** For downloads; in the staging folder. */
  readonly tempFolder: string;
  /** Stores on this machine, where objects are looked for first. */
  readonly places: readonly StoreReader[];
  readonly now: Date;
  readonly retain: Retention;
}

/** @throws LockedError when another publisher publishes meanwhile; UpstreamError. @returns the ids of the snapshot that was current, before and after */
export async function forgetInStore(
  store: Store,
  options: StoreOptions,
): Promise<{ before: string; after: string } | undefined> {
  const { artifacts, context, now, retain, rewriter, tempFolder } = options;
  const { connection, disk, filesFolder, forgotten } = context;
  return store.exclusively(async (assertHeld) => {
    const current = await readInService(store);
    if (!current) return undefined;
    const work = openWork(store, options);
    const ids = await rewrite(store, {
      ...{ mark: forgotten.mark, now, retain, assertHeld },
      filesOf: (manifest: Manifest) =>
        filesLeft(
          manifest,
          rewriter,
          (file) => work.rewrite(file),
          manifest.files.filter(isMade).map((file) => ({ file, at: undefined })),
        ),
      async beforeSwitch(rewritten) {
        const { made } = work;
        for (const table of TABLE_NAMES)
          await rewriteDeltaLog(store, table, { connection, forgotten, tempFolder, made });
        await rewriteListing(store, rewritten);
      },
    });
    const backups = backupsBelow(store);
    const find = (file: PublishedFile) => findSound(backups, file, options);
    await rewriteBackups(backups, { ids, mark: forgotten.mark, now, rewriter, find });
    await completeCurrent(artifacts, store, { now, retain, more: filesFolder, assertHeld, disk });
    const { id } = current.snapshot;
    return { before: id, after: ids.get(id)?.id ?? id };
  });
}

interface Work {
  /** What took the place of a file, by its path. */
  readonly made: ReadonlyMap<string, Rewritten>;
  /** Rewrites a file of the store, and adds the one that takes its place. */
  rewrite(file: PublishedFile): Promise<Rewritten>;
}

/** The path of a sound copy of an object of the store on this machine, downloaded if need be. */
const findSound = (store: Store, file: PublishedFile, { context: { disk }, places, tempFolder }: StoreOptions) =>
  findObject([...places, store], file, { folder: tempFolder, disk });

function openWork(store: Store, options: StoreOptions): Work {
  const made = new Map<string, Rewritten>();
  return {
    made,
    async rewrite(file) {
      const one = await options.rewriter.rewrite(file, () => findSound(store, file, options));
      made.set(file.path, one);
      if (one?.at !== undefined && one.file.sha256 !== file.sha256)
        await store.addFiles([{ key: one.file.path, at: one.at, bytes: one.file.bytes }]);
      return one;
    },
  };
}

async function rewriteListing(store: Store, ids: RewrittenSnapshots): Promise<void> {
  for (;;) {
    const { etag, snapshots } = await readListing(store);
    // A snapshot that was not rewritten is not retained any more.
    const rewritten = snapshots.flatMap((listed) => {
      const now = ids.get(listed.id);
      return now ? [{ ...listed, id: now.id, generation: now.generation }] : [];
    });
    if (JSON.stringify(rewritten) === JSON.stringify(snapshots)) return;
    if (await store.replace(SNAPSHOTS, listingText(rewritten), etag)) return;
  }
}
