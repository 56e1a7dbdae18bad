/** After a swap, what was asked most of the snapshot before is asked of the new one, so that its first clients do not wait for what all of them want. */
import { setTimeout as sleep } from "node:timers/promises";
import type { H3 } from "h3";
import type { ResponseCache } from "./response-cache.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Questions asked anew; behind those the next ones are rare. */
const MAX_REQUESTS = 200;
/** Warming gives up after so many milliseconds: by then clients have asked themselves. */
const MAX_WARM_UP_MS = 5_000;

/**
 * Returns what is to be called when a snapshot has come into service, with the id of the one before. Questions are asked one at a time, between those
 * of clients, and no longer than the snapshot is served.
 */
export function createWarmUp({
  known,
  app,
  current,
}: {
  known: Pick<ResponseCache, "mostRequested">;
  app: Pick<H3, "request">;
  current: () => Pick<Snapshot, "id"> | undefined;
}): (before: string | undefined) => Promise<void> {
  return async (before) => {
    const served = current()?.id;
    if (before === undefined || served === undefined) return;
    const until = performance.now() + MAX_WARM_UP_MS;
    for (const { url, headers } of known.mostRequested(before, MAX_REQUESTS)) {
      if (current()?.id !== served || performance.now() > until) return;
      const began = performance.now();
      try {
        const response = await app.request(url, { headers });
        await response.body?.pipeTo(new WritableStream());
      } catch {
        // What fails is told to the client who asks next.
      }
      // Half of the time belongs to clients.
      await sleep(performance.now() - began);
    }
  };
}
