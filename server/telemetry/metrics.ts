/**
 * `/metrics` in Prometheus text format; `process_` and `nodejs_` are the standard names of every client library. Label
 * values are few and fixed.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";

/** How a response was obtained; `unchanged` = a 304, `live` = from the upstream. */
export type CacheResult = "hit" | "miss" | "unchanged" | "live";

export interface ScrapedValues {
  readonly id: string | undefined;
  readonly generation: number | undefined;
  /** The seconds since the last successful refresh. */
  readonly ageSeconds: number | undefined;
  readonly poolWaiting: number;
  readonly eventStreams: number;
  readonly requestsInFlight: number;
  /** Undefined without a report; a replica never has one. */
  readonly lastRun: RunReport | undefined;
  /** The freshness; on a replica, that of its origin. */
  readonly freshness: Freshness;
  readonly now: Date;
  /** The free bytes of the file system with the artifacts; NaN when it cannot be read. */
  readonly freeBytes: number;
}

/** A finished request: the pattern of its route, its milliseconds, and its bytes with headers. */
interface CountedRequest {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytes: number;
  readonly cache?: CacheResult | undefined;
}

/** The counts of a route. Copied at scrape time, because a label lookup for each request and counter costs more. */
interface RouteCounts {
  readonly labels: { readonly route: string };
  readonly byStatus: Map<number, number>;
  bytes: number;
}

const increment = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `academic_data_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `academic_data_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) =>
    new Histogram({ name: `academic_data_${name}`, help, buckets, labelNames, registers });

  const streamsOpen = gauge("event_streams_open", "Open streams of changes");
  const closed = counter("http_connections_cut_total", "Connections that the server closed", ["why"]);
  const limited = counter("http_rate_limited_total", "Requests rejected by RATE_LIMIT");
  const upstream = counter(
    "upstream_requests_total",
    "Live requests to the schedule system; abandoned: the client disconnected",
    ["outcome"],
  );
  const upstreamDuration = histogram(
    "upstream_request_duration_seconds",
    "Duration of live requests to the schedule system",
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  );
  const swaps = counter("snapshot_swaps_total", "Snapshots put into service, the first included");
  const rejections = counter("snapshot_rejections_total", "Newer snapshots that were rejected");
  const info = gauge("snapshot_info", "The snapshot in service", ["id", "generation"]);
  const age = gauge("snapshot_age_seconds", "Since the last successful refresh");
  const waiting = gauge("pool_waiting", "Statements waiting for a connection");
  const poolWait = histogram(
    "pool_wait_seconds",
    "Time that statements waited for a connection",
    [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  );
  const success = gauge("last_run_success", "1: the product is published or unchanged; 0: it failed", ["product"]);
  const duration = gauge("last_run_duration_seconds", "Duration of the product in the last run", ["product"]);
  const productAge = gauge("last_run_age_seconds", "Since the last run that refreshed the product", ["product"]);
  const next = gauge("next_run_timestamp_seconds", "When the next run is expected, in Unix time");
  const withheldSince = gauge(
    "withheld_since_timestamp_seconds",
    "Since when the part is stale: a newer version was refused",
    ["part"],
  );
  const parts = gauge("withheld_parts", "Parts of which a newer version was refused");
  const free = gauge("disk_free_bytes", "Free room of the file system with the artifacts");
  const requestDuration = histogram(
    "http_request_duration_seconds",
    "From parsed request headers to the last byte",
    // From a cached response to a live request that times out.
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ["route"],
  );
  const requests = counter(
    "http_requests_total",
    "Requests by route and status; 499: the client closed the connection",
    ["route", "status"],
  );
  const bytesSent = counter("http_response_bytes_total", "Bytes on the wire, headers included", ["route"]);
  const cacheable = counter("response_cache_total", "Cacheable responses: cached, computed, or not modified", [
    "result",
  ]);
  const inFlight = gauge("http_requests_in_flight", "Requests without a finished response");
  // Initialize to 0, so that monitoring can tell "never happened" from "not measured".
  for (const outcome of ["answered", "failed", "abandoned"]) upstream.inc({ outcome }, 0);
  for (const why of ["stalled", "too long", "too many"]) closed.inc({ why }, 0);
  const routes = new Map<string, RouteCounts>();
  const results = new Map<CacheResult, number>();
  let isProcessMeasured = false;

  return {
    registry,
    /** Observes the seconds that a statement waited for a connection. */
    poolWait,
    countRequest({ route, status, ms, bytes, cache }: CountedRequest): void {
      let counts = routes.get(route);
      if (!counts) routes.set(route, (counts = { labels: { route }, byStatus: new Map(), bytes: 0 }));
      counts.bytes += bytes;
      increment(counts.byStatus, status);
      requestDuration.observe(counts.labels, ms / 1000);
      if (cache !== undefined && cache !== "live") increment(results, cache);
    },
    observeUpstream(outcome: "answered" | "failed" | "abandoned", ms: number): void {
      upstream.inc({ outcome });
      upstreamDuration.observe(ms / 1000);
    },
    snapshotSwapped: () => swaps.inc(),
    snapshotRejected: () => rejections.inc(),
    connectionClosed: (why: "stalled" | "too long" | "too many") => closed.inc({ why }),
    rateLimited: () => limited.inc(),
    /** Returns the text with its media type. Process metrics start with the first call. */
    async render(values: ScrapedValues): Promise<{ text: string; type: string }> {
      const { id, generation, lastRun, now, freshness } = values;
      // Started on demand, because the observer and timer of the process metrics cannot be stopped.
      if (!isProcessMeasured) collectDefaultMetrics({ register: registry });
      isProcessMeasured = true;
      for (const labelled of [info, success, duration, productAge, withheldSince]) labelled.reset();
      for (const copied of [requests, bytesSent, cacheable]) copied.reset();
      for (const [route, { labels, byStatus, bytes }] of routes) {
        bytesSent.inc(labels, bytes);
        for (const [status, count] of byStatus) requests.inc({ route, status }, count);
      }
      for (const [result, count] of results) cacheable.inc({ result }, count);
      if (id !== undefined && generation !== undefined) info.set({ id, generation }, 1);
      age.set(values.ageSeconds ?? Number.NaN);
      waiting.set(values.poolWaiting);
      streamsOpen.set(values.eventStreams);
      inFlight.set(values.requestsInFlight);
      free.set(values.freeBytes);
      // A product that was not due in the last run has no result.
      for (const { product, status, damaged, ms } of lastRun?.products ?? []) {
        success.set({ product }, status === "failed" || damaged.length > 0 ? 0 : 1);
        duration.set({ product }, ms / 1000);
      }
      const { products, nextRefresh, withheld = [] } = freshness;
      for (const [product, refreshedAt] of Object.entries(products))
        productAge.set({ product }, (now.getTime() - Date.parse(refreshedAt)) / 1000);
      parts.set(withheld.length);
      for (const { title, since } of withheld) withheldSince.set({ part: title }, Date.parse(since) / 1000);
      next.set(nextRefresh === null ? Number.NaN : Date.parse(nextRefresh) / 1000);
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
