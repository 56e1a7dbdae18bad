import { setTimeout as sleep } from "node:timers/promises";
import { LockedError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { readCurrent } from "../../publish/generation.ts";

const LOOK_AGAIN_MS = 1000;

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
