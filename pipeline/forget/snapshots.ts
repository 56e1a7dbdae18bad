/**
 * Publishes the retained snapshots anew without what was taken down: every generation on disk, oldest first, under numbers of its own, then `current` is
 * switched to the newest. A kill at any step leaves the old generations in service or the new ones; the next run makes the same ones again.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { Manifest, PublishedFile } from "../contract/documents/manifest.ts";
import { CONTRACT_VERSION } from "../contract/tables.ts";
import { GuardError } from "../errors.ts";
import { type CopySources, soundCopies } from "../generations/copies.ts";
import { isSound } from "../generations/file-check.ts";
import { type Generation, generationFolder, listGenerations, readCurrentName } from "../generations/generation.ts";
import { layoutOf } from "../generations/layout.ts";
import { readManifest } from "../generations/manifest.ts";
import { contentId, snapshotId } from "../generations/snapshot-id.ts";
import { buildTree, highestGeneration, placeTree, readLink, switchCurrent } from "../publish/publication.ts";
import type { Derived } from "../publish/derive.ts";
import type { Deriver } from "./derived.ts";
import { rewriteFile, rewrittenAt, type RewriteContext } from "./rewrite.ts";

/** Rewrites each file once, whichever snapshots and backups have it. */
export interface Rewriter {
  /**
   * The file without what was taken down, and where it is; undefined when nothing of it is left. `at` is undefined where no sound copy is.
   * @param find where it is now
   */
  rewrite(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten>;
}

export type Rewritten = { readonly file: PublishedFile; readonly at: string | undefined } | undefined;

export function createRewriter(context: RewriteContext): Rewriter {
  const made = new Map<string, Promise<Rewritten>>();
  async function make(file: PublishedFile, find: () => Promise<string | undefined>): Promise<Rewritten> {
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
      const found = made.get(key);
      if (found) return found;
      const making = last.then(() => make(file, find));
      last = making.catch(() => undefined);
      made.set(key, making);
      return making;
    },
  };
}

/** What a manifest says once the snapshot is rewritten. Its id differs from the one before even where no file does. */
export async function rewriteManifest(
  manifest: Manifest,
  mark: string,
  {
    derive,
    now,
    rewrite,
  }: {
    readonly now: Date;
    readonly derive: (files: readonly NonNullable<Rewritten>[]) => Promise<readonly Derived[]>;
    readonly rewrite: (file: PublishedFile) => Promise<Rewritten>;
  },
): Promise<{ manifest: Manifest; files: NonNullable<Rewritten>[]; derived: readonly Derived[] }> {
  const files = [];
  for (const file of manifest.files) {
    const one = await rewrite(file);
    if (one) files.push(one);
  }
  const derived = await derive(files);
  const listed = files.map(({ file }) => file);
  const changesBefore = createHash("sha256")
    .update(JSON.stringify([manifest.changesBefore, mark]))
    .digest("hex");
  const made: Manifest = {
    ...manifest,
    id: snapshotId(listed, changesBefore),
    contentId: contentId(listed),
    changesBefore,
    forgotten: mark,
    // Dates in HTTP have no milliseconds: what a client received within this second is from before.
    forgottenAt: new Date((Math.floor(now.getTime() / 1000) + 1) * 1000).toISOString(),
    files: listed,
    derived: derived.map(({ file }) => file),
  };
  return { manifest: made, files, derived };
}

export interface SnapshotsOptions {
  readonly artifacts: string;
  /** The staging folder of this run. */
  readonly folder: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  readonly deriver: Deriver;
  /** Where sound copies of damaged files are looked for. */
  readonly copies: CopySources;
  readonly now: Date;
  readonly assertHeld: () => Promise<void>;
}

export interface RewrittenSnapshots {
  /** The id of each rewritten snapshot by the one that it had. */
  readonly ids: ReadonlyMap<string, Manifest>;
  /** Generations that cannot be read: they are removed. */
  readonly unreadable: readonly string[];
}

/** Requires the lock. What it replaces is removed by `collect`. @throws GuardError when the current generation cannot be read */
export async function rewriteSnapshots(options: SnapshotsOptions): Promise<RewrittenSnapshots> {
  const { artifacts, assertHeld, context, folder, now } = options;
  const { disk, forgotten } = context;
  const { mark } = forgotten;
  const { current, staging } = layoutOf(artifacts);
  const currentName = await readCurrentName(artifacts, disk);
  const all = (await listGenerations(artifacts, disk)).toReversed();
  if (currentName === undefined && all.length === 0) return { ids: new Map(), unreadable: [] };
  const inService = currentName === undefined ? undefined : await readOne(currentName, options);
  if (!inService)
    throw new GuardError("the current snapshot cannot be read: run `make refresh` first, then this again");
  const isDone = inService.manifest.forgotten === mark;

  const unreadable: string[] = [];
  const old: Generation[] = [];
  for (const { name, generation } of all) {
    const one = await readOne(name, options);
    if (!one) unreadable.push(name);
    else if (one.manifest.forgotten === mark) {
      // Of a run that was killed before the switch.
      if (!isDone) await disk.rename(one.folder, join(staging, `trash-${basename(folder)}-${name}`));
    } else if (isDone || generation <= inService.manifest.generation) old.push(one);
  }
  const linkBefore = await readLink(disk, current);
  let number = await highestGeneration(disk, artifacts, linkBefore);
  const ids = new Map<string, Manifest>();
  let published: string | undefined;
  for (const one of old) {
    const { manifest, files, derived } = await rewriteManifest(one.manifest, mark, {
      now,
      rewrite: (file) => options.rewriter.rewrite(file, () => findSound(one, file, options)),
      derive: (rewritten) => options.deriver.derive(one.manifest, one.folder, rewritten),
    });
    number++;
    const snapshots = manifest.snapshots.map((earlier) => {
      const now = ids.get(earlier.id);
      return now ? { ...earlier, id: now.id, generation: now.generation } : earlier;
    });
    const made: Manifest = { ...manifest, generation: number, snapshots };
    ids.set(one.manifest.id, made);
    if (isDone) continue;
    await assertHeld();
    const tree = join(folder, `generation-${number}`);
    await buildTree(disk, tree, [...files, ...derived], made);
    const lastInService = new Date((await disk.stat(one.folder))?.modifiedMs ?? now.getTime());
    published = await placeTree(disk, artifacts, { tree, manifest: made, lastInService });
  }
  if (published !== undefined) await switchCurrent({ artifacts, assertHeld, disk, folder, linkBefore, now, published });
  return { ids, unreadable };
}

/** Undefined for a damaged one, and one of another contract. */
async function readOne(name: string, { artifacts, context }: SnapshotsOptions): Promise<Generation | undefined> {
  const folder = generationFolder(artifacts, name);
  const manifest = await readManifest(folder, context.disk).catch(() => undefined);
  return manifest?.contract === CONTRACT_VERSION ? { folder, manifest } : undefined;
}

async function findSound(
  { folder }: Generation,
  file: PublishedFile,
  { context: { disk }, copies }: SnapshotsOptions,
): Promise<string | undefined> {
  const own = join(folder, file.path);
  if (await isSound(own, file, disk)) return own;
  for await (const copy of soundCopies(copies, file)) if (copy.stateOf === undefined) return copy.at;
  return undefined;
}
