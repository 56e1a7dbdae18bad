/** `make serve` on a fresh machine: migrates, copies from the store, or builds the data that the server needs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import { LockedError } from "../../errors.ts";
import { createLog, type Log } from "../../log.ts";
import { readBase } from "../../store/open.ts";
import { openStorePublisher, type StorePublisherOptions } from "../store-publisher.ts";
import { readPublishedVersions } from "../../store/versions.ts";
import { migratePublished } from "../../migrations/migrate.ts";
import { isBuilt, readCurrent } from "../../store/published.ts";
import { lockArtifacts } from "../../store/own-folders.ts";
import { runOnce } from "./run-once.ts";

const LOOK_AGAIN_MS = 1000;

/** Returns whether anything is published afterwards; a replica gets its data from its origin. */
export async function ensure(config: PipelineConfig): Promise<boolean> {
  if (config.follows) return true;
  const [newest] = await readPublishedVersions(config.artifactsDir);
  if (newest && newest.manifest.contract !== CONTRACT_VERSION) await locked(config, migrate);
  if (!newest && config.publishTo !== undefined) await locked(config, adopt);
  return ensurePublished(config.artifactsDir, () => runOnce(config, "build"), createLog(config.logLevel));
}

/** A run in progress does the same. */
async function locked(config: PipelineConfig, work: (options: StorePublisherOptions) => Promise<void>): Promise<void> {
  try {
    const lock = await lockArtifacts(config);
    const now = () => new Date();
    try {
      const log = createLog(config.logLevel);
      await work({ config, now, log, assertHeld: () => lock.assertHeld() });
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
  }
}

/** After an upgrade, data is served as soon as it is migrated; the next run fetches new data. */
async function migrate({ config, now, ...options }: StorePublisherOptions): Promise<void> {
  const done = await migratePublished({ ...config, ...options, now: now(), allowLoss: config.allowShrink });
  for (const problem of done?.problems ?? []) options.log.error("recorded history was damaged", { problem });
}

/** Data that was published elsewhere needs no crawl. */
async function adopt(options: StorePublisherOptions): Promise<void> {
  const store = await openStorePublisher(options);
  await store?.adopt(await readBase(options.config.artifactsDir));
}

/**
 * Builds when nothing is built yet. Waits while another run holds the lock, and builds if that run dies. Returns
 * whether anything is published afterwards; a partial build can be served.
 */
export async function ensurePublished(
  artifactsDir: string,
  build: () => Promise<unknown>,
  log: Log,
  wait: () => Promise<unknown> = () => sleep(LOOK_AGAIN_MS),
): Promise<boolean> {
  // A damaged generation does not count; the server refuses it.
  for (let tries = 0; !(await isBuilt(artifactsDir)); tries++) {
    try {
      await build();
      return (await readCurrent(artifactsDir).catch(() => undefined)) !== undefined;
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (tries === 0) log.info("nothing is published yet: waiting for the run in progress");
      await wait();
    }
  }
  return true;
}
