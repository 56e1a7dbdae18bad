/**
 * Rewrites every retained snapshot without the data that was taken down: those of the artifacts folder, of the store
 * that runs publish to, and the backups here and there. Each step can be repeated, so that the next run continues after
 * a kill.
 */
import { join } from "node:path";
import { BACKUP_RETENTION, readState, repairDocuments } from "../backup/backups.ts";
import { backupsBelow } from "../backup/stored-backups.ts";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { TABLE_NAMES } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { completeCurrent } from "../lake/complete.ts";
import { listingText, readListing } from "../lake/listing.ts";
import { deriveFiles } from "../publish/derive.ts";
import { makeCheckout, removeCheckouts } from "../store/checkout.ts";
import { findObject } from "../store/copy.ts";
import { artifactsStore } from "../store/folder.ts";
import { nameOf } from "../store/layout.ts";
import { readPointer } from "../store/pointer.ts";
import { goOnFrom, type LocatedFile, readContinued } from "../store/publish.ts";
import { rewrite, type RewrittenSnapshots } from "../store/rewrite.ts";
import { SNAPSHOTS, type Store, type StoreReader } from "../store/store.ts";
import { readInService } from "../store/versions.ts";
import { rewriteDeltaLog } from "./delta-log.ts";
import { rewriteFile, type RewriteContext } from "./file-rows.ts";

export interface TakeDown {
  readonly artifacts: string;
  /** In the staging folder of this run; also for downloads. */
  readonly folder: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  /** The stores on this machine, where objects are looked for one after the other. */
  readonly places: readonly StoreReader[];
  readonly now: Date;
  readonly retain: Retention;
  readonly assertHeld: () => Promise<void>;
}

/** Undefined when nothing of the file is left. */
type Rewritten = LocatedFile | undefined;

type Find = (file: PublishedFile) => Promise<string | undefined>;

/** Rewrites each file once, whichever snapshots and backups have it. */
export interface Rewriter {
  /** The rewritten files by the path of the original. */
  readonly made: ReadonlyMap<string, Rewritten>;
  /** Returns the remaining files of tables. One without a sound copy stays. */
  tables(files: readonly PublishedFile[], find: Find): Promise<LocatedFile[]>;
  /** Returns these, and what is made of them. */
  withMade(files: readonly PublishedFile[], find: Find): Promise<LocatedFile[]>;
}

/** @param onProblem receives the reason when a file cannot be made from the rewritten ones: it is left out */
export function createRewriter(context: RewriteContext, onProblem: (problem: string) => void): Rewriter {
  const made = new Map<string, Rewritten>();
  const derivedHere = new Set<LocatedFile>();

  async function rewriteOne(file: PublishedFile, find: Find): Promise<Rewritten> {
    if (made.has(file.path)) return made.get(file.path);
    const at = await find(file);
    // Another place may have a sound copy.
    if (at === undefined) return { file, at };
    const written = await rewriteFile(context, file, at);
    const isSame = written.sha256 === file.sha256;
    const left = isSame ? { file, at } : { file: written, at: join(context.filesFolder, written.path) };
    made.set(file.path, isSame || written.rows > 0 ? left : undefined);
    return made.get(file.path);
  }

  async function tables(files: readonly PublishedFile[], find: Find): Promise<LocatedFile[]> {
    const left: LocatedFile[] = [];
    for (const file of files) {
      const rewritten = isMade(file) ? undefined : await rewriteOne(file, find);
      if (rewritten) left.push(rewritten);
    }
    return left;
  }

  return {
    made,
    tables,
    async withMade(files, find) {
      const left = await tables(files, find);
      const earlier = files.filter(isMade).map((file) => ({ file, at: undefined }));
      const options = { files: left, earlier: [...earlier, ...derivedHere], onProblem };
      const derived = await deriveFiles(context.connection, context, options);
      for (const file of derived) if (file.at !== undefined) derivedHere.add(file);
      return [...left, ...derived];
    },
  };
}

const finder =
  ({ context: { disk }, folder }: TakeDown, places: readonly StoreReader[]): Find =>
  (file) =>
    findObject(places, file, { folder, disk });

/**
 * Rewrites all retained snapshots of the artifacts folder. Requires the lock.
 * @throws GuardError when the published data cannot be read, before anything is changed
 */
export async function rewriteSnapshots(options: TakeDown): Promise<RewrittenSnapshots> {
  const { artifacts, assertHeld, context, folder, now, places, retain, rewriter } = options;
  const { disk, forgotten } = context;
  const store = artifactsStore(artifacts, disk);
  const rewritten = await rewrite(store, {
    ...{ mark: forgotten.mark, now, retain, assertHeld },
    filesOf: ({ files }) => rewriter.withMade(files, finder(options, places)),
  }).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error;
    throw new GuardError("the current snapshot cannot be read: run `make refresh` first, then this again");
  });
  const pointer = await readPointer(store);
  if (typeof pointer !== "object") return rewritten;
  // Checkouts of old snapshots have the old files.
  await makeCheckout(artifacts, pointer.snapshot, join(folder, "checkout"), disk);
  await removeCheckouts(artifacts, new Set([nameOf(pointer.snapshot)]), disk);
  return rewritten;
}

/**
 * Rewrites the backups. Requires the lock. An unreadable manifest is removed with the objects that it alone names,
 * because the people in them cannot be determined.
 * @param ids the published snapshots that were rewritten, by the id that each had
 * @returns the keys of such manifests
 * @throws LockedError; UpstreamError
 */
export async function rewriteBackups(
  store: Store,
  ids: RewrittenSnapshots,
  options: TakeDown,
): Promise<readonly string[]> {
  const { context, now, places, rewriter } = options;
  const state = await readState(store);
  await repairDocuments(store, state);
  for (const key of state.unreadable) await store.remove(key);
  await rewrite(store, {
    ...{ ...BACKUP_RETENTION, mark: context.forgotten.mark, now, idOf: ({ id }: Manifest) => ids.get(id)?.id },
    filesOf: ({ files }) => rewriter.tables(files, finder(options, [...places, store])),
  });
  return state.unreadable;
}

/**
 * Rewrites the retained snapshots of another store, with the logs of the Delta tables and the list of snapshots before
 * the new ones are in service, and the backups there.
 * @throws LockedError when another publisher publishes in the meantime; UpstreamError
 */
export async function forgetInStore(store: Store, options: TakeDown): Promise<void> {
  const { artifacts, context, folder, now, places, retain, rewriter } = options;
  const { connection, disk, filesFolder, forgotten } = context;
  await store.exclusively(async (assertHeld) => {
    const current = await readInService(store);
    if (!current) return;
    const ids = await rewrite(store, {
      ...{ mark: forgotten.mark, now, retain, assertHeld },
      filesOf: ({ files }) => rewriter.withMade(files, finder(options, [...places, store])),
      async beforeSwitch(rewritten) {
        const log = { connection, forgotten, tempFolder: folder, made: rewriter.made };
        for (const table of TABLE_NAMES) await rewriteDeltaLog(store, table, log);
        await rewriteListing(store, rewritten);
      },
    });
    await rewriteBackups(backupsBelow(store), ids, options);
    await completeCurrent(artifacts, store, { now, retain, more: filesFolder, assertHeld, disk });
    const { id } = current.snapshot;
    const rewritten = ids.get(id);
    // Runs here go on from the same snapshot under its new id.
    if (rewritten && (await readContinued(artifacts, store)) === id) await goOnFrom(artifacts, store, rewritten.id);
  });
}

async function rewriteListing(store: Store, ids: RewrittenSnapshots): Promise<void> {
  const all = [...ids.values()];
  for (;;) {
    const { etag, snapshots } = await readListing(store);
    // A killed run may have listed the new ones. A snapshot that was not rewritten is not retained any more.
    const rewritten = snapshots.flatMap((listed) => {
      const now = ids.get(listed.id) ?? all.find(({ id }) => id === listed.id);
      return now ? [{ ...listed, id: now.id, generation: now.generation }] : [];
    });
    if (JSON.stringify(rewritten) === JSON.stringify(snapshots)) return;
    if (await store.replace(SNAPSHOTS, listingText(rewritten), etag)) return;
  }
}
