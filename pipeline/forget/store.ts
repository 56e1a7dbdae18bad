/**
 * Applies take-downs to a store: rewrites the retained snapshots, with the logs of the Delta tables and the list of
 * snapshots before the new ones are in service, and the backups. Each step can be repeated, so that the next run
 * continues after a kill.
 */
import { backupsBelow } from "../backup/stored-backups.ts";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { completeCurrent } from "../lake/complete.ts";
import { readInService } from "../store/versions.ts";
import { listingText, readListing } from "../lake/listing.ts";
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

/**
 * Applies the list to a store. Returns the ids of the current snapshot, before and after.
 * @throws LockedError when another publisher publishes in the meantime; UpstreamError
 */
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
  /** Rewritten files by the path of the original. */
  readonly made: ReadonlyMap<string, Rewritten>;
  /** Rewrites a file of the store, and adds the one that takes its place. */
  rewrite(file: PublishedFile): Promise<Rewritten>;
}

/** The path of a sound copy of an object of the store on this machine, downloaded if need be. */
const findSound = (store: Store, file: PublishedFile, { context: { disk }, places, tempFolder }: StoreOptions) =>
  findObject([...places, store], file, { folder: tempFolder, disk });

function openWork(store: Store, options: StoreOptions): Work {
  const rewrittenFiles = new Map<string, Rewritten>();
  return {
    made: rewrittenFiles,
    async rewrite(file) {
      const rewritten = await options.rewriter.rewrite(file, () => findSound(store, file, options));
      rewrittenFiles.set(file.path, rewritten);
      if (rewritten?.at !== undefined && rewritten.file.sha256 !== file.sha256)
        await store.addFiles([{ key: rewritten.file.path, at: rewritten.at, bytes: rewritten.file.bytes }]);
      return rewritten;
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
