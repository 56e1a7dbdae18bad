/** Rewrites the retained snapshots without what was taken down: those of the artifacts folder here, those of another place in `store.ts`. */
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
import { artifactsStore, type LocatedFile } from "../publish/publication.ts";
import { readPointer } from "../store/pointer.ts";
import { rewrite, type RewrittenSnapshots } from "../store/rewrite.ts";
import { rewriteFile, rewrittenAt, type RewriteContext } from "./rewrite.ts";

/** Rewrites each file once, whichever snapshots and backups have it. */
export interface Rewriter {
  /**
   * The file without what was taken down, and where it is; undefined when nothing of it is left. `at` is undefined where no sound copy is.
   * @param find where it is now
   */
  rewrite(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten>;
  /**
   * The files that are made from rewritten ones, each made once.
   * @param earlier the made files of the snapshot that is rewritten
   */
  derive(files: readonly LocatedFile[], earlier: readonly LocatedFile[]): Promise<readonly LocatedFile[]>;
}

export type Rewritten = LocatedFile | undefined;

/** @param onProblem receives the reason when a file cannot be made from the rewritten ones: it is left out */
export function createRewriter(context: RewriteContext, onProblem: (problem: string) => void): Rewriter {
  const rewrites = new Map<string, Promise<Rewritten>>();
  const madeHere = new Set<LocatedFile>();
  async function rewriteOnce(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten> {
    const at = await find();
    if (at === undefined) return { file, at };
    const rewritten = await rewriteFile(context, file, at);
    if (rewritten.sha256 === file.sha256) return { file, at };
    if (rewritten.rows === 0) return undefined;
    return { file: rewritten, at: rewrittenAt(context.filesFolder, rewritten) };
  }
  // One after the other: they share the connection.
  let last: Promise<unknown> = Promise.resolve();
  return {
    rewrite(file, find) {
      const key = `${file.path} ${file.sha256}`;
      const known = rewrites.get(key);
      if (known) return known;
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
 * The files of a snapshot without what was taken down.
 * @param rewriteOne rewrites a file of a table
 * @param made the files of the snapshot that are made from others, where they are sound
 */
export async function filesLeft(
  { files }: Manifest,
  rewriter: Rewriter,
  rewriteOne: (file: PublishedFile) => Promise<Rewritten>,
  made: readonly LocatedFile[],
): Promise<LocatedFile[]> {
  const left: LocatedFile[] = [];
  for (const file of files) {
    const rewritten = isMade(file) ? undefined : await rewriteOne(file);
    if (rewritten) left.push(rewritten);
  }
  return [...left, ...(await rewriter.derive(left, made))];
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

/** Requires the lock. @throws GuardError when what is published cannot be read, before anything is changed */
export async function rewriteSnapshots(options: SnapshotsOptions): Promise<RewrittenSnapshots> {
  const { artifacts, assertHeld, context, folder, now, places, retain, rewriter } = options;
  const { disk, forgotten } = context;
  const { mark } = forgotten;
  const store = artifactsStore(artifacts, disk);
  const find = (file: PublishedFile) => findObject(places, file, { folder, disk });
  const filesOf = async (manifest: Manifest): Promise<LocatedFile[]> => {
    const made: LocatedFile[] = [];
    for (const file of manifest.files.filter(isMade)) {
      const at = join(artifacts, file.path);
      if (await isSound(at, file, disk)) made.push({ file, at });
    }
    return filesLeft(manifest, rewriter, (file) => rewriter.rewrite(file, () => find(file)), made);
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
