/**
 * Takes down everything on the list of tombstones, which `make forget` has written (run/commands/forget.ts): rewrites
 * retained snapshots, the store that runs publish to, backups, stored exports, reports and operators' files, and
 * removes checkpoints of crawls. Every step can be repeated, and the list is marked as done last, so that the next run
 * finishes what a killed one left.
 */
import { readLocalPointer } from "../store/published.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { RunReport } from "../contract/documents/run-report.ts";
import { RETENTION } from "../contract/retention.ts";
import { IRREPLACEABLE_TABLES } from "../contract/tables.ts";
import { GuardError, UpstreamError } from "../errors.ts";
import { findFormerLists, openBackups, readBackups, removeDamaged } from "../backup/backups.ts";
import { localPlaces } from "../backup/lost-objects.ts";
import { backupFolderOf, layoutOf } from "../store/layout.ts";
import { readInService, readPublishedVersions } from "../store/versions.ts";
import type { Log } from "../log.ts";
import { openDatabase } from "../store/database.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { artifactsStore } from "../store/folder.ts";
import { collectArtifacts } from "../store/collect-artifacts.ts";
import type { Keeper } from "../publish/staging.ts";
import type { PipelineConfig } from "../settings/pipeline.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { type RewriteContext, rewriteFile } from "./file-rows.ts";
import { rewriteDropped, rewriteExports, rewriteTexts } from "./raw-files.ts";
import { createRewriter, forgetInStore, rewriteBackups, rewriteSnapshots, type TakeDown } from "./snapshots.ts";
import { type Forgotten, openTombstones, readTombstones, writeTombstones } from "./tombstones.ts";

export interface ForgetOptions {
  readonly config: Pick<PipelineConfig, "artifactsDir" | "dataDir"> &
    Partial<Pick<PipelineConfig, "publishTo" | "aws" | "retain">>;
  readonly now: Date;
  readonly log: Log;
  readonly assertHeld: () => Promise<void>;
  /** True when nobody else publishes in the store: earlier take-downs there are superseded by this list. */
  readonly ownsStore?: boolean;
  readonly disk?: Disk;
  /** Overrides the configured store. */
  readonly store?: Store;
}

/** Removes what was taken down from files that a run stages. */
export const keeperOf = (forgotten: Forgotten): Keeper => ({
  mark: forgotten.mark,
  withoutForgotten: (connection, { disk, filesFolder }, written) =>
    rewriteFile({ connection, disk, filesFolder, forgotten }, written, join(filesFolder, written.path)),
});

/**
 * Finishes pending take-downs of the list, such as those that a killed run left; returns undefined when there is nothing
 * to do. Requires the lock.
 * @throws LockedError; UsageError for a list that cannot be read
 */
export async function finishTakeDown(options: ForgetOptions): Promise<RunReport["history"] | undefined> {
  const { config, disk = nodeDisk, log } = options;
  const { artifactsDir, dataDir, publishTo } = config;
  const list = await readTombstones(dataDir, disk);
  if (!list) return undefined;
  const forgotten = openTombstones(list);
  const store = options.store ?? (publishTo && openStore(publishTo, config.aws ? { aws: config.aws } : {}));
  if (!forgotten.isPending && !(await isElsewhere(forgotten.mark, options, store, disk))) return undefined;
  const folder = join(layoutOf(artifactsDir).staging, `forget-${randomUUID()}`);
  const tempFolder = join(folder, "temp");
  await disk.mkdir(tempFolder);
  const { close, connection } = await openDatabase({ memoryLimit: "400MB", threads: 2, tempFolder });
  try {
    log.info("taking down what the list of tombstones says");
    const context = { connection, disk, filesFolder: join(folder, "files"), forgotten };
    const problems = await takeDown(context, { ...options, store, folder });
    if (problems.length > 0) return { notes: [], problems };
    await writeTombstones(dataDir, { ...list, done: forgotten.mark }, disk);
    return { notes: ["what was taken down is gone everywhere"], problems };
  } catch (error) {
    // A run repairs the published data first; the run after it continues here.
    if (!(error instanceof GuardError)) throw error;
    return { notes: [], problems: [error.message] };
  } finally {
    close();
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
  const here = await readLocalPointer(artifacts, disk).catch(() => undefined);
  if (here && here.snapshot.forgotten !== mark) return true;
  const there = store && (await readInService(store).catch(() => undefined));
  const { forgotten } = there?.snapshot ?? {};
  return there !== undefined && (ownsStore ? forgotten !== mark : forgotten === undefined);
}

async function takeDown(
  context: RewriteContext,
  options: Omit<ForgetOptions, "store"> & { readonly folder: string; readonly store: Store | undefined },
): Promise<string[]> {
  const { assertHeld, config, folder, log, now, store } = options;
  const { artifactsDir, dataDir, retain = RETENTION } = config;
  const { disk, forgotten } = context;
  const problems: string[] = [];
  const rewriter = createRewriter(context, (problem) => log.error("a file made from others is left out", { problem }));
  const local = await localPlaces({ artifacts: artifactsDir, dataDir, disk });
  const places = [artifactsStore(artifactsDir, disk), ...local];
  const work: TakeDown = { artifacts: artifactsDir, folder, context, rewriter, places, now, retain, assertHeld };
  const ids = await rewriteSnapshots(work);
  const [current, ...earlier] = await readPublishedVersions(artifactsDir, disk);
  const served = new Set(current?.manifest.files.map(({ path }) => path));
  const ofEarlier = new Map(earlier.flatMap(({ manifest }) => manifest.files).map((file) => [file.path, file]));
  const unserved = [...ofEarlier.values()].filter(({ path }) => !served.has(path));
  for (const { path } of await removeDamaged(artifactsStore(artifactsDir, disk), unserved, disk))
    log.warn("a damaged file of an earlier snapshot is removed, because it may name anybody", { path });
  if (store)
    try {
      await assertHeld();
      await forgetInStore(store, work);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      problems.push(`${store.name}: ${error.message}; the next run goes on there`);
    }
  await assertHeld();
  for (const name of await findFormerLists(dataDir, disk))
    problems.push(`${name} is from before the first release, and whom it names cannot be checked: move it away`);
  const backups = openBackups(dataDir, disk);
  const unreadable = await backups.exclusively(async () => {
    for (const { files } of await readBackups(backups)) await removeDamaged(backups, files, disk);
    return rewriteBackups(backups, ids, work);
  });
  for (const name of unreadable)
    log.warn("a backup that cannot be read is removed, because it may name anybody", { name });
  await rewriteExports(dataDir, forgotten, disk);
  await rewriteDropped(dataDir, forgotten, disk);
  // A checkpoint of a crawl: the next run fetches it again.
  await disk.rm(join(dataDir, "landing"));
  await rewriteTexts(artifactsDir, { disk, folder, forgotten });
  const collected = await collectArtifacts(artifactsDir, {
    now,
    retain,
    disk,
    keepSnapshots: Infinity,
    ownFolders: [folder],
  });
  problems.push(...collected.problems);
  // Sync before the list is marked as done: a power loss must not bring anything back.
  const { checkouts, snapshots, staging } = layoutOf(artifactsDir);
  const backup = backupFolderOf(dataDir);
  const inBackup = ["snapshots", ...IRREPLACEABLE_TABLES].map((name) => join(backup, name));
  for (const path of [snapshots, checkouts, staging, artifactsDir, backup, ...inBackup, dataDir])
    if (await disk.stat(path)) await disk.syncFolder(path);
  return problems;
}
