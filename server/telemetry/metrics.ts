/**
 * `/metrics` in Prometheus text format; `process_` and `nodejs_` are the standard names of every client library. Label
 * values are few and fixed; `observation.ts` adds the metrics of requests.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";

const WAIT_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

interface RunSources {
  /** Returns undefined without a report; a replica never has one. */
  readonly lastRun: () => Promise<RunReport | undefined>;
  /** Returns the freshness; on a replica, that of its origin. */
  readonly freshness: () => Freshness;
  readonly now: () => Date;
  /** Returns the free bytes of the file system with the artifacts; NaN when it cannot be read. */
  readonly freeBytes: () => Promise<number>;
}

/** The sources of values that are read at scrape time. */
export interface MetricSources extends RunSources {
  readonly snapshot: () => { id: string; generation: number } | undefined;
  /** Returns the seconds since the last successful refresh. */
  readonly ageSeconds: () => number | undefined;
  readonly poolWaiting: () => number;
  readonly eventStreams: () => number;
}

export interface Metrics {
  readonly registry: Registry;
  /** Observes the seconds that a statement waited for a connection. */
  readonly poolWait: { observe(seconds: number): void };
  observeUpstream(outcome: "answered" | "failed" | "abandoned", ms: number): void;
  snapshotSwapped(): void;
  snapshotRejected(): void;
  connectionClosed(why: "stalled" | "too long" | "too many"): void;
  rateLimited(): void;
  /** Returns the text with its media type. Process metrics start with the first call. */
  render(sources: MetricSources): Promise<{ text: string; type: string }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  const streamsOpen = gauge("academic_data_event_streams_open", "Open streams of changes");
  const closed = counter("academic_data_http_connections_cut_total", "Connections that the server closed", ["why"]);
  const limited = counter("academic_data_http_rate_limited_total", "Requests rejected by RATE_LIMIT");
  const upstream = counter(
    "academic_data_upstream_requests_total",
    "Live requests to the schedule system; abandoned: the client disconnected",
    ["outcome"],
  );
  const upstreamDuration = new Histogram({
    name: "academic_data_upstream_request_duration_seconds",
    help: "Duration of live requests to the schedule system",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  });
  const swaps = counter("academic_data_snapshot_swaps_total", "Snapshots put into service, the first included");
  const rejections = counter("academic_data_snapshot_rejections_total", "Newer snapshots that were rejected");
  const info = gauge("academic_data_snapshot_info", "The snapshot in service", ["id", "generation"]);
  const age = gauge("academic_data_snapshot_age_seconds", "Since the last successful refresh");
  const waiting = gauge("academic_data_pool_waiting", "Statements waiting for a connection");
  const poolWait = new Histogram({
    name: "academic_data_pool_wait_seconds",
    help: "Time that statements waited for a connection",
    buckets: WAIT_SECONDS,
    registers,
  });
  // Initialize to 0, so that monitoring can tell "never happened" from "not measured".
  for (const outcome of ["answered", "failed", "abandoned"]) upstream.inc({ outcome }, 0);
  for (const why of ["stalled", "too long", "too many"]) closed.inc({ why }, 0);
  const setRunMetrics = createRunMetrics(registry);
  let isProcessMeasured = false;

  return {
    registry,
    poolWait,
    observeUpstream(outcome, ms) {
      upstream.inc({ outcome });
      upstreamDuration.observe(ms / 1000);
    },
    snapshotSwapped: () => swaps.inc(),
    snapshotRejected: () => rejections.inc(),
    connectionClosed: (why) => closed.inc({ why }),
    rateLimited: () => limited.inc(),
    async render({ snapshot, ageSeconds, poolWaiting, eventStreams, ...run }) {
      // Started on demand, because the observer and timer of the process metrics cannot be stopped.
      if (!isProcessMeasured) collectDefaultMetrics({ register: registry });
      isProcessMeasured = true;
      info.reset();
      const served = snapshot();
      if (served) info.set({ id: served.id, generation: String(served.generation) }, 1);
      age.set(ageSeconds() ?? Number.NaN);
      waiting.set(poolWaiting());
      streamsOpen.set(eventStreams());
      await setRunMetrics(run);
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}

/** Sets the metrics of pipeline runs at scrape time. A product that was not due in the last run has no result. */
function createRunMetrics(registry: Registry): (sources: RunSources) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `academic_data_${name}`, help, labelNames, registers: [registry] });
  const success = gauge("last_run_success", "1: the product is published or unchanged; 0: it failed", ["product"]);
  const duration = gauge("last_run_duration_seconds", "Duration of the product in the last run", ["product"]);
  const age = gauge("last_run_age_seconds", "Since the last run that refreshed the product", ["product"]);
  const next = gauge("next_run_timestamp_seconds", "When the next run is expected, in Unix time");
  const withheld = gauge(
    "withheld_since_timestamp_seconds",
    "Since when the part is stale: a newer version was refused",
    ["part"],
  );
  const parts = gauge("withheld_parts", "Parts of which a newer version was refused");
  const free = gauge("disk_free_bytes", "Free room of the file system with the artifacts");
  return async ({ lastRun, freshness, now, freeBytes }) => {
    const { products, nextRefresh, withheld: refused = [] } = freshness();
    for (const each of [success, duration, age, withheld]) each.reset();
    for (const { product, status, damaged, ms } of (await lastRun())?.products ?? []) {
      success.set({ product }, status === "failed" || damaged.length > 0 ? 0 : 1);
      duration.set({ product }, ms / 1000);
    }
    for (const [product, refreshedAt] of Object.entries(products))
      age.set({ product }, (now().getTime() - Date.parse(refreshedAt)) / 1000);
    parts.set(refused.length);
    for (const partition of refused) withheld.set({ part: partition.title }, Date.parse(partition.since) / 1000);
    next.set(nextRefresh === null ? Number.NaN : Date.parse(nextRefresh) / 1000);
    free.set(await freeBytes());
  };
}
