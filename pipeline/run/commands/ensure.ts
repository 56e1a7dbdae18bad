/** What `make serve` needs: something published, by a run of its own or by the one that is under way already. */
import { setTimeout as sleep } from "node:timers/promises";
import { LockedError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { readCurrent } from "../../publish/generation.ts";

const LOOK_AGAIN_MS = 1000;

/**
 * Builds when nothing is published yet. While another run holds the lock it waits for what that publishes, and builds itself should that one die.
 * Returns whether something is published in the end; a partial build can be served.
 */
export async function ensurePublished(
  artifactsDir: string,
  build: () => Promise<unknown>,
  log: Log,
  wait: () => Promise<unknown> = () => sleep(LOOK_AGAIN_MS),
): Promise<boolean> {
  // A damaged generation in service is the server's to refuse; here it counts as none.
  const isPublished = async () => (await readCurrent(artifactsDir).catch(() => undefined)) !== undefined;
  for (let tries = 0; !(await isPublished()); tries++) {
    try {
      await build();
      return await isPublished();
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (tries === 0) log.info("nothing is published yet and another run is under way: waiting for it");
      await wait();
    }
  }
  return true;
}
