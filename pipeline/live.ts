/** The server's one doorway to the schedule system: a question that the published data cannot answer, or must not. */
import { sampleSizeOf } from "./contract/sample-campus.ts";
import type { Campus } from "./campus/server.ts";
import type { Live } from "./crawl/live-requests.ts";
import type { Log } from "./log.ts";

export type { Live } from "./crawl/live-requests.ts";
export type { LiveQuery } from "./sources/live-query.ts";

/** Requests under way at once, whatever the server's own load is. */
const CONCURRENCY = 2;

/**
 * The live path of a server: asks `address`, or else where the published data came from, which may be the embedded campus (it is started when it
 * is first asked). Undefined when there is nothing to ask.
 */
export function openLive(options: {
  /** SCHEDULE_URL, where it is set. */
  address: URL | undefined;
  /** The schedule's source in the manifest that is served now. */
  publishedSource: () => string | undefined;
  timeoutMs: number;
  log: Log;
}): { find(): Promise<Live | undefined>; close(): Promise<void> } {
  const { address, publishedSource, timeoutMs, log } = options;
  let campus: { name: string; started: Promise<Campus> } | undefined;
  let live: { href: string; live: Live } | undefined;

  async function whereToAsk(): Promise<URL | undefined> {
    const source = publishedSource();
    if (address) return address;
    if (source === undefined) return undefined;
    const size = sampleSizeOf(source);
    if (size === undefined) return /^https?:/.test(source) && URL.canParse(source) ? new URL(source) : undefined;
    if (campus?.name !== source) {
      const started = import("./campus/spawn.ts").then(({ spawnCampus }) => spawnCampus({ size }));
      campus = { name: source, started };
      started.catch(() => (campus = undefined));
    }
    return new URL((await campus.started).urls.SCHEDULE_URL);
  }

  return {
    async find() {
      const scheduleUrl = await whereToAsk();
      if (!scheduleUrl) return undefined;
      // Most servers are never asked live: what that needs is loaded when the first one asks.
      const { createLive } = await import("./crawl/live-requests.ts");
      if (live?.href !== scheduleUrl.href) {
        live = { href: scheduleUrl.href, live: createLive({ scheduleUrl, timeoutMs, concurrency: CONCURRENCY, log }) };
      }
      return live.live;
    },
    async close() {
      await campus?.started.then((running) => running.close()).catch(() => undefined);
    },
  };
}
