/**
 * Takes down everything on the list of tombstones, which `make forget` has written (run/commands/forget.ts): rewrites
 * retained snapshots, the store that runs publish to, backups, stored exports, reports and operators' files, and
 * removes checkpoints of crawls. Every step can be repeated, and the list is marked as done last, so that the next run
 * finishes what a killed one left.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { PublishedFile } from "../contract/documents/manifest.ts";
import { RETENTION } from "../contract/retention.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { findFormerLists, openBackups, readBackups, removeDamaged } from "../backup/backups.ts";
import { localPlaces } from "../backup/copies.ts";
import { backupFolderOf, layoutOf } from "../store/layout.ts";
import { readPointer } from "../store/manifest.ts";
import { readInService } from "../store/versions.ts";
import type { Log } from "../log.ts";
import { openDatabase } from "../store/database.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { artifactsStore } from "../store/folder.ts";
import { collect } from "../store/collect-artifacts.ts";
import type { Keeper } from "../publish/staging.ts";
import type { PipelineConfig } from "../settings/pipeline.ts";
import { findObject } from "../store/fill.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { rewriteBackups } from "./backups.ts";
import { rewriteDropped, rewriteExports, rewriteTexts } from "./raw-files.ts";
import { type RewriteContext, rewriteFile } from "./rewrite.ts";
import { createRewriter, rewriteSnapshots } from "./snapshots.ts";
import { forgetInStore } from "./store.ts";
import { type Forgotten, openTombstones, readTombstones, writeTombstones } from "./tombstones.ts";

export interface ForgetOptions {
  readonly config: Pick<PipelineConfig, "artifactsDir" | "dataDir"> &
    Partial<Pick<PipelineConfig, "publishTo" | "aws" | "retain">>;
  readonly now: Date;
  readonly log: Log;
  readonly assertHeld: () => Promise<void>;
  /** Further texts that may name people, in the artifacts folder. */
  readonly texts: readonly string[];
  /** Called when the current snapshot of the store got another id. */
  readonly onStore?: (ids: { before: string; after: string }) => Promise<void>;
  /** True when nobody else publishes in the store: earlier take-downs there are superseded by this list. */
  readonly ownsStore?: boolean;
  readonly disk?: Disk;
  /** Overrides the configured store. */
  readonly store?: Store;
}

/** For the report. */
export interface ForgetOutcome {
  readonly problems: readonly string[];
}

/** Reads the list of take-downs; undefined when there never was one. @throws UsageError */
export async function readForgotten(dataDir: string, disk: Disk = nodeDisk): Promise<Forgotten | undefined> {
  const list = await readTombstones(dataDir, disk);
  return list && openTombstones(list);
}

/** Removes what was taken down from files that a run stages. */
export const keeperOf = (forgotten: Forgotten): Keeper => ({
  mark: forgotten.mark,
  withoutForgotten: (connection, { disk, filesFolder }, written) =>
    rewriteFile({ connection, disk, filesFolder, forgotten }, written, join(filesFolder, written.path)),
});

/**
 * Finishes pending take-downs of the list; returns undefined when there is nothing to do. Requires the lock.
 * @throws LockedError; UsageError for a list that cannot be read
 */
export async function finishForgetting(options: ForgetOptions): Promise<ForgetOutcome | undefined> {
  const { config, disk = nodeDisk, log } = options;
  const { artifactsDir, dataDir } = config;
  const list = await readTombstones(dataDir, disk);
  const forgotten = list && openTombstones(list);
  const store =
    options.store ?? (config.publishTo && openStore(config.publishTo, config.aws ? { aws: config.aws } : {}));
  if (!list || !forgotten) return undefined;
  if (!forgotten.isPending && !(await isElsewhere(forgotten.mark, options, store, disk))) return undefined;
  const folder = join(layoutOf(artifactsDir).staging, `forget-${randomUUID()}`);
  const tempFolder = join(folder, "temp");
  await disk.mkdir(tempFolder);
  const database = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder });
  const problems: string[] = [];
  try {
    log.info("taking down what the list of tombstones says");
    const context: RewriteContext = {
      connection: database.connection,
      disk,
      filesFolder: join(folder, "files"),
      forgotten,
    };
    problems.push(...(await takeDown(context, { ...options, store, disk, folder, tempFolder })));
    if (problems.length === 0) await writeTombstones(dataDir, { ...list, done: forgotten.mark }, disk);
    return { problems };
  } catch (error) {
    // A run repairs the published data first; the run after it continues here.
    if (!(error instanceof GuardError)) throw error;
    return { problems: [error.message] };
  } finally {
    database.close();
    await disk.rm(folder).catch(() => undefined);
  }
}

/**
 * True when the published data, here or in the store, does not match the list: data that was put back, a list that came
 * from another machine, a store that is new here.
 */
async function isElsewhere(
  mark: string,
  { config: { artifactsDir: artifacts }, ownsStore = false }: ForgetOptions,
  store: Store | undefined,
  disk: Disk,
): Promise<boolean> {
  const here = await readPointer(artifacts, disk).catch(() => undefined);
  if (here && here.snapshot.forgotten !== mark) return true;
  const there = store && (await readInService(store).catch(() => undefined));
  const { forgotten } = there?.snapshot ?? {};
  return there !== undefined && (ownsStore ? forgotten !== mark : forgotten === undefined);
}

async function takeDown(
  context: RewriteContext,
  options: Omit<ForgetOptions, "store"> & {
    readonly disk: Disk;
    readonly folder: string;
    readonly store: Store | undefined;
    readonly tempFolder: string;
  },
): Promise<string[]> {
  const { assertHeld, config, disk, folder, log, now, store, tempFolder, texts } = options;
  const { artifactsDir, dataDir, retain = RETENTION } = config;
  const { forgotten } = context;
  const problems: string[] = [];
  const rewriter = createRewriter(context, (problem) => log.error("a file made from others is left out", { problem }));
  const backup = backupFolderOf(dataDir);
  const local = await localPlaces({ artifacts: artifactsDir, dataDir, disk });
  const places = [artifactsStore(artifactsDir, disk), ...local];
  const ids = await rewriteSnapshots({
    ...{ artifacts: artifactsDir, folder, context, rewriter, places, now, retain, assertHeld },
  });
  if (store)
    try {
      await assertHeld();
      const changed = await forgetInStore(store, {
        artifacts: artifactsDir,
        context,
        rewriter,
        tempFolder,
        places,
        now,
        retain,
      });
      if (changed) await options.onStore?.(changed);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      problems.push(`${store.name}: ${error.message}; the next run goes on there`);
    }
  await assertHeld();
  for (const name of await findFormerLists(dataDir, disk))
    problems.push(`${name} is from before the first release, and whom it names cannot be checked: move it away`);
  const backups = openBackups(dataDir, disk);
  const manifests = await backups.exclusively(async () => {
    for (const { files } of await readBackups(backups)) await removeDamaged(backups, files, disk);
    const find = (file: PublishedFile) => findObject([backups], file, { folder, disk });
    return rewriteBackups(backups, { find, ids, mark: forgotten.mark, now, rewriter });
  });
  for (const key of manifests)
    log.warn("a backup that cannot be read is removed, because it may name anybody", { name: key });
  await rewriteExports(dataDir, forgotten, disk);
  await rewriteDropped(dataDir, forgotten, disk);
  // A checkpoint of a crawl: the next run fetches it again.
  await disk.rm(join(dataDir, "landing"));
  await rewriteTexts(texts, { disk, folder, forgotten });
  const collected = await collect(artifactsDir, { now, retain, disk, keepGenerations: Infinity, ownFolders: [folder] });
  problems.push(...collected.problems);
  // Sync before the list is marked as done: a power loss must not bring anything back.
  const { checkouts, snapshots, staging } = layoutOf(artifactsDir);
  const inBackup = ["snapshots", ...IRREPLACEABLE_TABLES].map((name) => join(backup, name));
  for (const path of [snapshots, checkouts, staging, artifactsDir, backup, ...inBackup, dataDir])
    if (await disk.stat(path)) await disk.syncFolder(path);
  return problems;
}
