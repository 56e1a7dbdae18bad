/**
 * Replays the most requested requests of the previous snapshot after a swap, so that the new one starts with a warm
 * cache.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { H3 } from "h3";
import type { ResponseCache } from "./response-cache.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const MAX_REQUESTS = 200;
const MAX_WARM_UP_MS = 5_000;

/**
 * Returns a function to call after a swap with the id of the previous snapshot. It replays one request at a time and
 * stops at the next swap.
 */
export function createWarmUp({
  responseCache,
  app,
  current,
}: {
  responseCache: Pick<ResponseCache, "mostRequested">;
  app: Pick<H3, "request">;
  current: () => Pick<Snapshot, "id"> | undefined;
}): (previousId: string | undefined) => Promise<void> {
  return async (previousId) => {
    const served = current()?.id;
    if (previousId === undefined || served === undefined) return;
    const until = performance.now() + MAX_WARM_UP_MS;
    for (const { url, headers } of responseCache.mostRequested(previousId, MAX_REQUESTS)) {
      if (current()?.id !== served || performance.now() > until) return;
      const began = performance.now();
      try {
        const response = await app.request(url, { headers });
        await response.body?.pipeTo(new WritableStream());
      } catch {
        // The next client request reports the failure.
      }
      // Leave half of the time to clients.
      await sleep(performance.now() - began);
    }
  };
}
