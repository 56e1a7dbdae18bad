/** The server's access to the live schedule system, for queries that the published data cannot answer. */
import { sampleSizeOf } from "./contract/sample-campus.ts";
import type { Campus } from "./campus/listening/server.ts";
import type { Live } from "./crawl/live-requests.ts";
import type { Log } from "./log.ts";

export type { Live } from "./crawl/live-requests.ts";
export type { LiveQuery } from "./sources/live-query.ts";

/** Upstream requests in flight at once. */
const CONCURRENCY = 2;

/**
 * Queries go to `address`, or else to the published data's source, which may be the embedded campus (started on first use). `find` gives undefined
 * when there is no schedule system.
 */
export function openLive(options: {
  /** SCHEDULE_URL, where it is set; `none` when the schedule system is gone. */
  address: URL | "none" | undefined;
  /** The schedule's source in the current manifest; undefined when the last run found that it is gone. */
  publishedSource: () => string | undefined;
  timeoutMs: number;
  /** The largest response of the schedule system. */
  maxBytes: number;
  log: Log;
}): { find(): Promise<Live | undefined>; close(): Promise<void> } {
  const { address, publishedSource, timeoutMs, maxBytes, log } = options;
  let campus: { name: string; started: Promise<Campus> } | undefined;
  let live: { href: string; live: Live } | undefined;

  async function findUrl(): Promise<URL | undefined> {
    const source = publishedSource();
    if (address !== undefined) return address === "none" ? undefined : address;
    if (source === undefined) return undefined;
    const size = sampleSizeOf(source);
    if (size === undefined) return /^https?:/.test(source) && URL.canParse(source) ? new URL(source) : undefined;
    if (campus?.name !== source) {
      const started = import("./campus/listening/spawn.ts").then(({ spawnCampus }) => spawnCampus({ size }));
      campus = { name: source, started };
      started.catch(() => (campus = undefined));
    }
    return new URL((await campus.started).urls.SCHEDULE_URL);
  }

  return {
    async find() {
      const scheduleUrl = await findUrl();
      if (!scheduleUrl) return undefined;
      // Loaded on first use: most servers never query live.
      const { createLive } = await import("./crawl/live-requests.ts");
      if (live?.href !== scheduleUrl.href) {
        const requests = { timeoutMs, maxBytes, concurrency: CONCURRENCY };
        live = { href: scheduleUrl.href, live: createLive({ scheduleUrl, ...requests, log }) };
      }
      return live.live;
    },
    async close() {
      await campus?.started.then((running) => running.close()).catch(() => undefined);
    },
  };
}
