/** `/metrics` in Prometheus text format. Label values are few and fixed. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** From a cached response to a live request that times out. */
const RESPONSE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Values read at scrape time. */
export interface MetricSources {
  readonly snapshot: () => { id: string; generation: number } | undefined;
  /** Seconds since the last successful refresh. */
  readonly ageSeconds: () => number | undefined;
  readonly poolWaiting: () => number;
  readonly inFlight: () => number;
  readonly eventStreams: () => number;
}

/** `unchanged`: a 304; `live`: from the upstream. */
export type CacheResult = "hit" | "miss" | "unchanged" | "live";

export interface Metrics {
  observeRequest(request: {
    readonly route: string;
    readonly status: number;
    readonly ms: number;
    readonly bytes: number;
    readonly cache?: CacheResult | undefined;
  }): void;
  observeUpstream(outcome: "answered" | "failed" | "abandoned", ms: number): void;
  observePoolWait(ms: number): void;
  snapshotSwapped(): void;
  snapshotRejected(): void;
  connectionClosed(why: "stalled" | "too long" | "too many"): void;
  rateLimited(): void;
  /** The text with its media type. Process metrics start with the first call. */
  render(sources: MetricSources): Promise<{ text: string; type: string }>;
}

interface RouteCounts {
  readonly route: { readonly route: string };
  bytes: number;
  readonly byStatus: Map<number, number>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers });

  // Counted here and copied at scrape time: a label lookup for every request costs more.
  const routes = new Map<string, RouteCounts>();
  const results: Record<Exclude<CacheResult, "live">, number> = { hit: 0, miss: 0, unchanged: 0 };
  const requests = counter(
    "http_requests_total",
    "Requests by route and status; 499: the client closed the connection",
    ["route", "status"],
  );
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "From parsed request headers to the last byte",
    labelNames: ["route"],
    buckets: RESPONSE_SECONDS,
    registers,
  });
  const bytes = counter("http_response_bytes_total", "Bytes on the wire, headers included", ["route"]);
  const requestsInFlight = gauge("http_requests_in_flight", "Requests without a finished response");
  const streamsOpen = gauge("event_streams_open", "Open streams of changes");
  const closed = counter("http_connections_cut_total", "Connections that the server closed", ["why"]);
  const limited = counter("http_rate_limited_total", "Requests rejected by RATE_LIMIT");
  const cache = counter("answer_cache_total", "Cacheable responses: cached, computed, or not modified", ["result"]);
  const upstream = counter(
    "upstream_questions_total",
    "Live requests to the schedule system; abandoned: the client disconnected",
    ["outcome"],
  );
  const upstreamDuration = new Histogram({
    name: "upstream_question_duration_seconds",
    help: "Duration of live requests to the schedule system",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  });
  const swaps = counter("snapshot_swaps_total", "Snapshots put into service, the first included");
  const rejections = counter("snapshot_refusals_total", "Newer snapshots that were rejected");
  const info = gauge("snapshot_info", "The snapshot in service", ["id", "generation"]);
  const age = gauge("snapshot_age_seconds", "Since the last successful refresh");
  const waiting = gauge("pool_waiting", "Statements waiting for a connection");
  const wait = new Histogram({
    name: "pool_wait_seconds",
    help: "Time that statements waited for a connection",
    buckets: WAIT_SECONDS,
    registers,
  });
  // Initialized to 0: monitoring can tell "never happened" from "not measured".
  for (const outcome of ["answered", "failed", "abandoned"]) upstream.inc({ outcome }, 0);
  for (const why of ["stalled", "too long", "too many"]) closed.inc({ why }, 0);
  let isProcessMeasured = false;

  return {
    observeRequest({ route, status, ms, bytes: size, cache: result }) {
      let counts = routes.get(route);
      if (!counts) routes.set(route, (counts = { route: { route }, bytes: 0, byStatus: new Map() }));
      counts.bytes += size;
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
      duration.observe(counts.route, ms / 1000);
      if (result !== undefined && result !== "live") results[result]++;
    },
    observeUpstream(outcome, ms) {
      upstream.inc({ outcome });
      upstreamDuration.observe(ms / 1000);
    },
    observePoolWait: (ms) => wait.observe(ms / 1000),
    snapshotSwapped: () => swaps.inc(),
    snapshotRejected: () => rejections.inc(),
    connectionClosed: (why) => closed.inc({ why }),
    rateLimited: () => limited.inc(),
    async render({ snapshot, ageSeconds, poolWaiting, inFlight, eventStreams }) {
      // Started on demand: the observer and timer of the process metrics cannot be stopped.
      if (!isProcessMeasured) collectDefaultMetrics({ register: registry });
      isProcessMeasured = true;
      for (const one of [requests, bytes, cache, info]) one.reset();
      for (const [route, { bytes: size, byStatus }] of routes) {
        bytes.inc({ route }, size);
        for (const [status, count] of byStatus) requests.inc({ route, status }, count);
      }
      for (const [result, count] of Object.entries(results)) if (count > 0) cache.inc({ result }, count);
      const served = snapshot();
      if (served) info.set({ id: served.id, generation: String(served.generation) }, 1);
      age.set(ageSeconds() ?? Number.NaN);
      waiting.set(poolWaiting());
      requestsInFlight.set(inFlight());
      streamsOpen.set(eventStreams());
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
