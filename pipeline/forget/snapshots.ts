/**
 * Rewrites the retained snapshots without the data that was taken down: those of the artifacts folder here, those of
 * another store in `store.ts`.
 */
import { join } from "node:path";
import { isMade, type Manifest, type PublishedFile } from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { findObject } from "../store/fill.ts";
import type { StoreReader } from "../store/store.ts";
import { isSound } from "../store/file-check.ts";
import { nameOf } from "../store/layout.ts";
import { makeCheckout, removeCheckouts } from "../store/checkout.ts";
import { deriveFiles } from "../publish/derive.ts";
import type { LocatedFile } from "../publish/publication.ts";
import { artifactsStore } from "../store/folder.ts";
import { readPointer } from "../store/pointer.ts";
import { rewrite, type RewrittenSnapshots } from "../store/rewrite.ts";
import { rewriteFile, rewrittenAt, type RewriteContext } from "./rewrite.ts";

/** Rewrites each file once, whichever snapshots and backups have it. */
export interface Rewriter {
  /**
   * Returns the file without the data that was taken down, and its path; undefined when nothing of it is left. `at` is
   * undefined without a sound copy.
   * @param find returns the current path of the file
   */
  rewrite(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten>;
  /**
   * Returns the files that are derived from rewritten ones, each built once.
   * @param earlier the derived files of the snapshot that is rewritten
   */
  derive(files: readonly LocatedFile[], earlier: readonly LocatedFile[]): Promise<readonly LocatedFile[]>;
}

export type Rewritten = LocatedFile | undefined;

/** @param onProblem receives the reason when a file cannot be made from the rewritten ones: it is left out */
export function createRewriter(context: RewriteContext, onProblem: (problem: string) => void): Rewriter {
  const rewrites = new Map<string, Promise<Rewritten>>();
  const madeHere = new Set<LocatedFile>();
  async function rewriteOnce(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten> {
    const path = await find();
    if (path === undefined) return { file, at: path };
    const rewritten = await rewriteFile(context, file, path);
    if (rewritten.sha256 === file.sha256) return { file, at: path };
    if (rewritten.rows === 0) return undefined;
    return { file: rewritten, at: rewrittenAt(context.filesFolder, rewritten) };
  }
  // Rewrites run sequentially: they share the connection.
  let last: Promise<unknown> = Promise.resolve();
  return {
    rewrite(file, find) {
      const key = `${file.path} ${file.sha256}`;
      const pending = rewrites.get(key);
      if (pending) return pending;
      const rewriting = last.then(() => rewriteOnce(file, find));
      last = rewriting.catch(() => undefined);
      rewrites.set(key, rewriting);
      return rewriting;
    },
    async derive(files, earlier) {
      const { connection } = context;
      const all = await deriveFiles(connection, context, { files, earlier: [...earlier, ...madeHere], onProblem });
      for (const file of all) if (!earlier.includes(file)) madeHere.add(file);
      return all;
    },
  };
}

/**
 * Returns the remaining files of a snapshot.
 * @param rewriteOne rewrites a file of a table
 * @param derived the sound derived files of the snapshot
 */
export async function filesLeft(
  { files }: Manifest,
  rewriter: Rewriter,
  rewriteOne: (file: PublishedFile) => Promise<Rewritten>,
  derived: readonly LocatedFile[],
): Promise<LocatedFile[]> {
  const left: LocatedFile[] = [];
  for (const file of files) {
    const rewritten = isMade(file) ? undefined : await rewriteOne(file);
    if (rewritten) left.push(rewritten);
  }
  return [...left, ...(await rewriter.derive(left, derived))];
}

export interface SnapshotsOptions {
  readonly artifacts: string;
  /** The staging folder of this run. */
  readonly folder: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  /** The stores where objects are looked for, one after the other. */
  readonly places: readonly StoreReader[];
  readonly now: Date;
  readonly retain: Retention;
  readonly assertHeld: () => Promise<void>;
}

/**
 * Rewrites all retained snapshots. Requires the lock.
 * @throws GuardError when the published data cannot be read, before anything is changed
 */
export async function rewriteSnapshots(options: SnapshotsOptions): Promise<RewrittenSnapshots> {
  const { artifacts, assertHeld, context, folder, now, places, retain, rewriter } = options;
  const { disk, forgotten } = context;
  const { mark } = forgotten;
  const store = artifactsStore(artifacts, disk);
  const find = (file: PublishedFile) => findObject(places, file, { folder, disk });
  const filesOf = async (manifest: Manifest): Promise<LocatedFile[]> => {
    const derived: LocatedFile[] = [];
    for (const file of manifest.files.filter(isMade)) {
      const path = join(artifacts, file.path);
      if (await isSound(path, file, disk)) derived.push({ file, at: path });
    }
    return filesLeft(manifest, rewriter, (file) => rewriter.rewrite(file, () => find(file)), derived);
  };
  const rewritten = await rewrite(store, { mark, now, retain, filesOf, assertHeld }).catch((error: unknown) => {
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
