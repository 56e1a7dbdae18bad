/**
 * Takes down in a place that snapshots are published to: new files come first, then the manifests of the retained snapshots, the logs of the Delta tables, the
 * list of snapshots and `current.json`, then what follows from it, then the old files go. Each step can be repeated, so that the next run goes on where a
 * killed one ended.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { backupsBelow } from "../backup/stored-backups.ts";
import {
  isMade,
  type Manifest,
  manifest as manifestSchema,
  type PublishedFile,
} from "../contract/documents/manifest.ts";
import type { Retention } from "../contract/retention.ts";
import { CONTRACT_VERSION, TABLE_NAMES } from "../contract/tables.ts";
import { VIEWS_FOLDER } from "../contract/views.ts";
import { LockedError } from "../errors.ts";
import { isSound } from "../generations/file-check.ts";
import { generationName, parseGenerationName } from "../generations/layout.ts";
import { completeCurrent } from "../lake/export.ts";
import { currentText } from "../lake/publish.ts";
import { listingText, readListing } from "../lake/retention.ts";
import { parseHead, parseSnapshot, type RemoteSnapshot } from "../stores/snapshot.ts";
import { CURRENT, manifestKey, SNAPSHOTS, type Store } from "../stores/store.ts";
import { rewriteBackups } from "./backups.ts";
import { rewriteDeltaLog } from "./delta-log.ts";
import type { RewriteContext } from "./rewrite.ts";
import { type Rewriter, rewriteManifest, type Rewritten } from "./snapshots.ts";

export interface StoreOptions {
  readonly artifacts: string;
  readonly context: RewriteContext;
  readonly rewriter: Rewriter;
  /** For downloads; in the staging folder. */
  readonly tempFolder: string;
  /** Where a file of that content may be on this machine. */
  readonly placesOf: (file: PublishedFile) => readonly string[];
  readonly now: Date;
  readonly retain: Retention;
}

/** @throws LockedError when another publisher publishes meanwhile; UpstreamError. @returns the ids of the snapshot that was current, before and after */
export async function forgetInStore(
  store: Store,
  options: StoreOptions,
): Promise<{ before: string; after: string } | undefined> {
  return store.exclusively(async (assertHeld) => {
    const stored = await store.read(CURRENT);
    if (typeof stored !== "object") return undefined;
    if (parseHead(stored, store).contract !== CONTRACT_VERSION) return undefined;
    const current = parseSnapshot(stored, store);
    const work = openWork(store, options);
    const ids = await rewriteManifests(store, current, work, options);
    for (const table of TABLE_NAMES) {
      const { context, tempFolder } = options;
      await rewriteDeltaLog(store, table, {
        connection: context.connection,
        forgotten: context.forgotten,
        tempFolder,
        made: work.made,
      });
    }
    await rewriteListing(store, ids);
    const after = await rewriteCurrent(store, current, { ids, assertHeld }, options);
    const backups = backupsBelow(store);
    await rewriteBackups(backups, {
      ...{ ids, mark: options.context.forgotten.mark, now: options.now, rewriter: options.rewriter },
      find: (file) => findSound(backups, file, options),
    });
    const { disk, filesFolder } = options.context;
    const here = after.files.filter(({ path }) =>
      [...work.made.values()].some((one) => one?.at === join(filesFolder, path)),
    );
    await completeCurrent(options.artifacts, store, {
      now: options.now,
      retain: options.retain,
      generation: { folder: filesFolder, manifest: { ...after, files: here } },
      assertHeld,
      disk,
    });
    await removeReplaced(store, ids, work);
    return { before: current.manifest.id, after: after.id };
  });
}

interface Work {
  /** What took the place of a file, by its path. */
  readonly made: ReadonlyMap<string, Rewritten>;
  /** Rewrites a file of the store, and adds the one that takes its place. */
  rewrite(file: PublishedFile): Promise<Rewritten>;
}

/** Where a sound copy of an object of the store is on this machine, downloaded if need be. */
async function findSound(
  store: Store,
  file: PublishedFile,
  { context: { disk }, placesOf, tempFolder }: StoreOptions,
): Promise<string | undefined> {
  for (const at of placesOf(file)) if (await isSound(at, file, disk)) return at;
  const at = join(tempFolder, `${randomUUID()}.parquet`);
  if (!(await store.list(file.path)).some(({ key }) => key === file.path)) return undefined;
  await store.download(file.path, file.bytes, at);
  return (await isSound(at, file, disk)) ? at : undefined;
}

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

/** By the id that a snapshot had. */
type Ids = ReadonlyMap<string, Manifest>;

async function rewriteManifests(
  store: Store,
  current: RemoteSnapshot,
  work: Work,
  options: StoreOptions,
): Promise<Ids> {
  const { mark } = options.context.forgotten;
  const ids = new Map<string, Manifest>();
  const rewritten = async (old: Manifest): Promise<Manifest> => {
    // The made files of the store stay where they are.
    const earlier = old.files.filter(isMade).map((file) => ({ file, at: undefined }));
    const { files, manifest } = await rewriteManifest(old, mark, {
      now: options.now,
      rewrite: (file) => work.rewrite(file),
      derive: (rewritten) => options.rewriter.derive(rewritten, earlier),
    });
    for (const { at, file } of files)
      if (isMade(file) && at !== undefined) await store.addFiles([{ key: file.path, at, bytes: file.bytes }]);
    return manifest;
  };
  const add = async (manifest: Manifest): Promise<void> => {
    const made = manifest.forgotten === mark ? manifest : await rewritten(manifest);
    ids.set(manifest.id, made);
    await store.create(manifestKey(generationName(made.generation, made.id)), `${JSON.stringify(made, null, 1)}\n`);
  };
  for (const manifest of await storedManifests(store)) await add(manifest);
  // Its manifest may be missing, as after a publisher was killed.
  if (!ids.has(current.manifest.id)) await add(manifestOf(current));
  return ids;
}

async function storedManifests(store: Store): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const { key } of await store.list("generations/")) {
    if (!/^generations\/[^/]+\/manifest\.json$/.test(key)) continue;
    const stored = await store.read(key);
    if (typeof stored !== "object") continue;
    const checked = manifestSchema.safeParse(parseJson(stored.content.toString()));
    if (checked.success && checked.data.contract === CONTRACT_VERSION) found.push(checked.data);
  }
  return found.sort((a, b) => a.generation - b.generation);
}

function manifestOf({ files, manifest }: RemoteSnapshot): Manifest {
  const { changesBefore, contentId, contract, createdAt, forgotten, forgottenAt, generation, id, source } = manifest;
  return {
    contract,
    id,
    ...(contentId === undefined ? {} : { contentId }),
    generation,
    createdAt,
    source,
    changesBefore,
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(forgottenAt === undefined ? {} : { forgottenAt }),
    snapshots: [],
    files: [...files],
  };
}

async function rewriteListing(store: Store, ids: Ids): Promise<void> {
  for (;;) {
    const { etag, snapshots } = await readListing(store);
    // One without a manifest of this contract version cannot be made anew, and goes.
    const made = snapshots.flatMap((one) => {
      const now = ids.get(one.id);
      return now ? [{ ...one, id: now.id }] : [];
    });
    if (JSON.stringify(made) === JSON.stringify(snapshots)) return;
    if (await store.replace(SNAPSHOTS, listingText(made), etag)) return;
  }
}

async function rewriteCurrent(
  store: Store,
  { etag, manifest: current }: RemoteSnapshot,
  { assertHeld, ids }: { ids: Ids; assertHeld: () => Promise<void> },
  { context }: StoreOptions,
): Promise<Manifest> {
  const made = ids.get(current.id) as Manifest;
  if (current.forgotten === context.forgotten.mark) return made;
  await assertHeld();
  if (!(await store.replace(CURRENT, currentText(made, current.freshness), etag)))
    throw new LockedError(`another publisher published to ${store.name} in the meantime`);
  return made;
}

/** Old manifests, and the data files that no manifest of a retained snapshot has. */
async function removeReplaced(store: Store, ids: Ids, { made }: Work): Promise<void> {
  const manifests = [...ids.values()];
  const kept = new Set(manifests.flatMap((one) => one.files.map(({ path }) => path)));
  const keys = new Set(manifests.map(({ generation, id }) => manifestKey(generationName(generation, id))));
  for (const { key } of await store.list("generations/")) {
    const name = /^generations\/([^/]+)\/manifest\.json$/.exec(key)?.[1];
    if (name !== undefined && parseGenerationName(name) && !keys.has(key)) await store.remove(key);
  }
  for (const [path, one] of made) if (one?.file.path !== path && !kept.has(path)) await store.remove(path);
  // Of publications that did not become current, of other writers, or that no manifest has any more: nobody can say
  // what is in them.
  for (const table of [...TABLE_NAMES, VIEWS_FOLDER])
    for (const { key } of await store.list(`${table}/`))
      if (key.endsWith(".parquet") && !key.includes("/_delta_log/") && !kept.has(key)) await store.remove(key);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
