/** `make serve` on a fresh machine: migrates or builds what the server needs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { PipelineConfig } from "../../config.ts";
import { campusToday } from "../../contract/campus-time.ts";
import { CONTRACT_VERSION } from "../../contract/tables.ts";
import { LockedError } from "../../errors.ts";
import { createLog, type Log } from "../../log.ts";
import { readPublishedVersions } from "../../generations/versions.ts";
import { migratePublished } from "../../migrations/migrate.ts";
import { readCurrent } from "../../generations/generation.ts";
import { layoutOf } from "../../generations/layout.ts";
import { acquireLock } from "../../publish/lock/lock.ts";
import { runOnce } from "./run-once.ts";

const LOOK_AGAIN_MS = 1000;

/** Returns whether anything is published then; a replica gets its data from its origin. */
export async function ensure(config: PipelineConfig): Promise<boolean> {
  if (config.follows) return true;
  await migrate(config);
  return ensurePublished(config.artifactsDir, () => runOnce(config, "build"), createLog(config.logLevel));
}

/** After an upgrade the data is served as soon as it is migrated; the next run fetches what is new. */
async function migrate(config: PipelineConfig): Promise<void> {
  const [newest] = await readPublishedVersions(config.artifactsDir);
  if (!newest || newest.manifest.contract === CONTRACT_VERSION) return;
  const log = createLog(config.logLevel);
  try {
    const lock = await acquireLock(layoutOf(config.artifactsDir).lock);
    try {
      const now = new Date();
      const assertHeld = () => lock.assertHeld();
      const today = campusToday(now);
      const done = await migratePublished({ ...config, now, today, allowLoss: config.allowShrink, log, assertHeld });
      for (const problem of done?.problems ?? []) log.error("recorded history was damaged", { problem });
    } finally {
      await lock.release();
    }
  } catch (error) {
    // The run under way migrates it.
    if (!(error instanceof LockedError)) throw error;
  }
}

/**
 * Builds when nothing is published yet. While another run holds the lock it waits, and builds if that run dies.
 * Returns whether anything is published then; a partial build can be served.
 */
export async function ensurePublished(
  artifactsDir: string,
  build: () => Promise<unknown>,
  log: Log,
  wait: () => Promise<unknown> = () => sleep(LOOK_AGAIN_MS),
): Promise<boolean> {
  // A damaged generation counts as none; the server refuses it.
  const isPublished = async () => (await readCurrent(artifactsDir).catch(() => undefined)) !== undefined;
  for (let tries = 0; !(await isPublished()); tries++) {
    try {
      await build();
      return await isPublished();
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (tries === 0) log.info("nothing is published yet: waiting for the run in progress");
      await wait();
    }
  }
  return true;
}
