/** The server's access to the live schedule system, for queries that the published data cannot answer. */
import { setImmediate } from "node:timers/promises";
import type { Section } from "./contract/rows/section.ts";
import { sampleSizeOf } from "./contract/sample-campus.ts";
import type { Campus } from "./campus/listening/server.ts";
import type { Live } from "./crawl/live-requests.ts";
import type { Forgotten } from "./forget/tombstones.ts";
import type { Log } from "./log.ts";

export type { Live } from "./crawl/live-requests.ts";
export type { LiveQuery } from "./sources/live-query.ts";

/** The most upstream requests in flight. */
const CONCURRENCY = 2;
/** Rows that are filtered between two yields to the event loop. */
const ROWS_AT_ONCE = 100;

/**
 * Queries go to `address`, or else to the published data's source, which may be the embedded campus (started on first
 * use). `find` returns undefined when there is no schedule system, or no list of the data that was taken down. Results
 * exclude everything on the list.
 */
export function openLive(options: {
  /** SCHEDULE_URL, if set; `none` when the schedule system is gone. */
  address: URL | "none" | undefined;
  /** The schedule's source in the current manifest; undefined when the last run considered it gone. */
  publishedSource: () => string | undefined;
  /** The take-down mark of the current manifest. */
  publishedMark: () => string | undefined;
  /** The folder with the take-down list. */
  dataDir: string;
  timeoutMs: number;
  /** The largest response of the schedule system. */
  maxBytes: number;
  log: Log;
}): { find(): Promise<Live | undefined>; close(): Promise<void> } {
  const { address, dataDir, publishedMark, publishedSource, timeoutMs, maxBytes, log } = options;
  let campus: { name: string; started: Promise<Campus> } | undefined;
  let live: { href: string; live: Live } | undefined;
  let readList: (() => Promise<Forgotten | undefined>) | undefined;

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
      // Load it on first use: most servers never query live.
      const { createLive } = await import("./crawl/live-requests.ts");
      const { coversMark, watchForgotten } = await import("./forget/tombstones.ts");
      const { rowsWithoutForgotten } = await import("./forget/file-rows.ts");
      readList ??= watchForgotten(dataDir);
      const isCovered = await readList().then(
        (list) => coversMark(list, publishedMark()),
        () => false,
      );
      if (!isCovered) {
        // Without the list, live answers would contain what was taken down.
        log.error("live: the take-down list of the published data is not in DATA_DIR", { dataDir });
        return undefined;
      }
      if (live?.href !== scheduleUrl.href) {
        const requests = { timeoutMs, maxBytes, concurrency: CONCURRENCY };
        const unfiltered = createLive({ scheduleUrl, ...requests, log });
        live = { href: scheduleUrl.href, live: filtered(unfiltered, readList, rowsWithoutForgotten) };
      }
      return live.live;
    },
    async close() {
      await campus?.started.then((running) => running.close()).catch(() => undefined);
    },
  };
}

/** Removes everything on the take-down list from live answers. */
const filtered = (
  live: Live,
  readList: () => Promise<Forgotten | undefined>,
  withoutForgotten: <Rows>(rows: Rows, list: Forgotten) => Rows,
): Live => ({
  address: live.address,
  async query(query, signal) {
    const result = await live.query(query, signal);
    const list = await readList();
    if (!list) return result;
    const sections: Section[] = [];
    for (const row of result.sections) {
      sections.push(withoutForgotten(row, list));
      // Let other requests run.
      if (sections.length % ROWS_AT_ONCE === 0) await setImmediate();
    }
    return { sections, headings: withoutForgotten(result.headings, list) };
  },
});
