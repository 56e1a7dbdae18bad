/** Opens the resources of a run: the published base, the source of new data, a staging folder and a database. */
import { join } from "node:path";
import type { PipelineConfig, System } from "../settings/pipeline.ts";
import type { Log } from "../log.ts";
import { keeperOf } from "../forget/forget.ts";
import type { Forgotten } from "../forget/tombstones.ts";
import { isFirstOfDay, type RunMode, type RunContext } from "../products/context.ts";
import { openDatabase, type Database } from "../store/database.ts";
import { type Base, readBase } from "../store/open.ts";
import { collectLeftovers } from "../store/collect-artifacts.ts";
import { createStaging, type Staging } from "../publish/staging.ts";
import { programId } from "./program-id.ts";
import type { Progress } from "./progress.ts";
import { readReportedSource } from "./run-report.ts";
import { changedSources, guardSource, openSource, type Source, type Sources } from "./source.ts";
import type { Freshness } from "../contract/documents/manifest.ts";
import { type HashedClient, withHashes } from "../sources/client/hashed-client.ts";
import { createClient } from "../sources/client/http.ts";
import { requestPolicyFor } from "../sources/client/request-policy.ts";
import type { SharedStore } from "./shared-store.ts";
import { fillArtifacts, localPlaces } from "../backup/lost-objects.ts";
import type { FilledFile } from "../store/copy.ts";
import type { StoreReader } from "../store/store.ts";
import { type Disk, nodeDisk } from "../disk/disk.ts";
import { readEarlier, type PublishedSnapshot } from "../store/published.ts";

export interface RunOptions {
  readonly config: PipelineConfig;
  readonly mode: RunMode;
  readonly now: () => Date;
  readonly log: Log;
  readonly progress: Progress;
  /** Overrides the configured source. */
  readonly source?: Source;
  /** The horizon of a limited run, a campus day: see RunContext. */
  readonly since?: string | undefined;
  /** The list of take-downs. */
  readonly forgotten?: Forgotten | undefined;
  /** The disk for writing published data. */
  readonly disk?: Disk;
}

export interface OpenRun {
  /** The published snapshot. Lost objects are filled from `places` where possible. */
  readonly base: Base;
  readonly filled: readonly FilledFile[];
  /** The other stores of this installation, nearest first. */
  readonly places: readonly StoreReader[];
  /** The source of the published data. */
  readonly publishedSource: Sources;
  readonly source: Source;
  readonly changed: readonly System[];
  readonly staging: Staging;
  readonly database: Database;
}

/** Call it while holding the lock. @throws UsageError when sample data would replace real data */
export async function openRun(
  { config, mode, log, source: sourceOverride, forgotten, disk = nodeDisk }: RunOptions,
  store: SharedStore | undefined,
  cleanup: Cleanup,
): Promise<OpenRun> {
  const { artifactsDir, dataDir } = config;
  const published = await readBase(artifactsDir, disk);
  const opened = (await store?.adopt(published)) ? await readBase(artifactsDir, disk) : published;
  const places = [...(await localPlaces({ artifacts: artifactsDir, dataDir, disk })), ...(store?.places() ?? [])];
  const { filled, lost } = await fillArtifacts(artifactsDir, opened.lost, places, { disk, log });
  const base = { ...opened, lost };
  const reported = base.unreadable === undefined ? {} : await readReportedSource(artifactsDir);
  const publishedSource = base.published?.manifest.source ?? reported;
  guardSource(config, mode, publishedSource);
  for (const problem of (await collectLeftovers(artifactsDir)).problems)
    log.warn("leftovers of an earlier run cannot be removed", { problem });
  const staging = createStaging(artifactsDir, base, disk, forgotten && keeperOf(forgotten));
  cleanup.add(() => staging.discard());
  const source = sourceOverride ?? (await openSource(config, log));
  cleanup.add(() => source.close());
  await staging.disk.mkdir(staging.tempFolder);
  // The other core is the server's while a refresh runs.
  const threads = mode === "refresh" ? 1 : 2;
  const database = await openDatabase({ memoryLimit: "400MB", threads, tempFolder: staging.tempFolder });
  cleanup.add(() => database.close());
  const changed = changedSources(publishedSource, source.names);
  return { base, filled, places, publishedSource, source, changed, staging, database };
}

export function createRunContext(
  options: RunOptions,
  { base, database, source, staging }: OpenRun,
  { today, freshness }: { readonly today: string; readonly freshness: Freshness },
): RunContext {
  const { config, mode } = options;
  const clients = new Map<System, HashedClient>();
  let earlier: Promise<PublishedSnapshot[]> | undefined;
  let schools: ReturnType<RunContext["schoolPages"]> | undefined;
  return {
    ...options,
    // Without a base there is nothing to refresh.
    mode: base.published ? mode : "build",
    today,
    addresses: source.addresses,
    sourceName: source.nameOf,
    enrollmentFiles: source.enrollmentFiles ?? [],
    client(system) {
      const client =
        clients.get(system) ??
        withHashes(createClient(system, requestPolicyFor(source.addresses[system] as URL, config)), options.now);
      clients.set(system, client);
      return client;
    },
    staging,
    database,
    landingFolder: join(config.dataDir, "landing"),
    freshness,
    isBehind: base.damage !== undefined,
    isThorough:
      !base.published ||
      mode === "build" ||
      base.damage !== undefined ||
      base.lost.length > 0 ||
      freshness.program !== programId() ||
      isFirstOfDay(freshness, today),
    earlier: () => (earlier ??= readSameCampus(base.published, source.names, staging.disk)),
    accepted: new Set(),
    profiles: new Map(),
    withheld: new Map(),
    remembered: new Map(),
    onPart: options.progress.at,
    schoolPages: (read) => (schools ??= read()),
    calendar: [],
    crawled: [],
    received: [],
    afterPublish: [],
  };
}

/** Data of another campus is excluded from comparisons. */
async function readSameCampus(
  base: PublishedSnapshot | undefined,
  sources: Sources,
  disk: Disk,
): Promise<PublishedSnapshot[]> {
  const snapshots = base ? await readEarlier(base, disk) : [];
  return snapshots.filter(({ manifest }) => changedSources(manifest.source, sources).length === 0);
}

type Cleanup = ReturnType<typeof createCleanup>;

export function createCleanup(log: Log) {
  const closing: (() => Promise<void> | void)[] = [];
  return {
    add: (close: () => Promise<void> | void) => void closing.push(close),
    /** Closes in reverse order. One failure does not keep the rest open. */
    async run(): Promise<void> {
      for (const close of closing.toReversed()) {
        try {
          await close();
        } catch (error) {
          log.warn("cleaning up after the run failed", { cause: String(error) });
        }
      }
    },
  };
}
