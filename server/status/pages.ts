/** The pages for operators: `/health…`, `/status`, `/metrics`. */
import { statfs } from "node:fs/promises";
import { forPrograms } from "../pages/content.ts";
import { type Page, type Pages, sendPage } from "../pages/page.ts";
import { dataAge } from "./data-age.ts";
import { readDiskUse, readLastRun, readStatus } from "./status-report.ts";
import { createHealth, type HealthParts } from "./health.ts";
import type { Metrics } from "../telemetry/metrics.ts";

interface OperationsParts extends Omit<HealthParts, "lastRun"> {
  readonly metrics: Metrics;
  readonly poolWaiting: () => number;
  readonly eventStreams: () => number;
  readonly requestsInFlight: () => number;
  /** The page that browsers get at `/status`. */
  readonly page: Page;
}

/** The lifetime of a measurement, which takes hundreds of file system calls. */
const DISK_USE_MS = 10_000;

export function createOperations({ metrics, page, ...parts }: OperationsParts): Pages {
  const { artifactsDir, store, following } = parts;
  // A report in the folder of a replica is not about a run that built this data.
  const lastRun = async () => (following() ? undefined : await readLastRun(artifactsDir));
  const diskUse = cachedFor(DISK_USE_MS, () => readDiskUse(artifactsDir));
  return {
    ...createHealth({ ...parts, lastRun }),
    "/status": forPrograms(async () => readStatus(store, await lastRun(), await diskUse()), page, {}, "no-store"),
    "/metrics": async ({ requestId }) => {
      const { id, generation } = store.state();
      const now = new Date();
      const { text, type } = await metrics.render({
        id,
        generation,
        ageSeconds: dataAge(store, now)?.seconds,
        poolWaiting: parts.poolWaiting(),
        eventStreams: parts.eventStreams(),
        requestsInFlight: parts.requestsInFlight(),
        lastRun: await lastRun(),
        freshness: store.freshness(),
        now,
        freeBytes: await statfs(artifactsDir).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.NaN,
        ),
      });
      return sendPage(requestId, 200, type, text);
    },
  };
}

function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { measuredAt: number; value: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.measuredAt > ms) last = { measuredAt: now, value: read() };
    return last.value;
  };
}
