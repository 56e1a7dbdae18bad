/** The pages for those who run the server: `/health…`, `/status`, `/metrics`. */
import { type Pages, sendPage } from "../page.ts";
import type { Store } from "../../snapshot/store.ts";
import { dataAge } from "./data-age.ts";
import { readDiskUse } from "./disk-use.ts";
import { createHealth, type HealthParts } from "./health.ts";
import { readLastRun } from "./last-run.ts";
import type { Metrics, MetricSources } from "../../telemetry/metrics.ts";
import { JSON_TYPE } from "../../response/headers.ts";
import { readStatus } from "./status.ts";
import { statusPage } from "./status-page.ts";

export interface OperationsParts
  extends Pick<MetricSources, "poolWaiting" | "underWay">, Pick<HealthParts, "following" | "isEnding"> {
  readonly artifactsDir: string;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly now?: () => Date;
}

/** Looking through all generations takes some hundred calls to the file system. */
const DISK_USE_MS = 10_000;

export function createOperations(parts: OperationsParts): Pages {
  const { artifactsDir, store, metrics, following, isEnding, poolWaiting, underWay, now = () => new Date() } = parts;
  const lastRun = () => readLastRun(artifactsDir);
  const diskUse = remembered(DISK_USE_MS, () => readDiskUse(artifactsDir));
  const sources: MetricSources = {
    snapshot() {
      const { id, generation } = store.state();
      return id === undefined || generation === undefined ? undefined : { id, generation };
    },
    ageSeconds: () => dataAge(store, now())?.seconds,
    poolWaiting,
    underWay,
  };
  return {
    ...createHealth({ store, lastRun, following, isEnding, now }),
    "/status": async ({ event, requestId }) => {
      const status = await readStatus({ store, lastRun, diskUse, now });
      return event.req.headers.get("accept")?.includes("text/html")
        ? sendPage(requestId, 200, "text/html; charset=utf-8", statusPage(status))
        : sendPage(requestId, 200, JSON_TYPE, JSON.stringify(status));
    },
    "/metrics": async ({ requestId }) => {
      const { text, type } = await metrics.read(sources);
      return sendPage(requestId, 200, type, text);
    },
  };
}

/** Reads at most once in `ms` milliseconds. */
function remembered<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at > ms) last = { at, value: read() };
    return last.value;
  };
}
