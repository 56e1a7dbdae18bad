/** `/metrics`: figures for a monitoring system. Every server has a registry of its own; the names of its labels are few and fixed. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** From a remembered answer to a live question that waits for its time-out, in seconds. */
const ANSWER_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** What is read when the figures are asked for. */
export interface MetricSources {
  readonly snapshot: () => { id: string; generation: number } | undefined;
  /** Seconds since the last successful look at the upstream. */
  readonly ageSeconds: () => number | undefined;
  readonly poolWaiting: () => number;
  readonly underWay: () => number;
}

/** How an answer came about: remembered, made, not changed since the client's tag, or asked of the upstream. */
export type CacheUse = "hit" | "miss" | "unchanged" | "live";

export interface Metrics {
  observe(seen: {
    readonly route: string;
    readonly status: number;
    readonly ms: number;
    readonly bytes: number;
    readonly cache?: CacheUse | undefined;
  }): void;
  /** A question to the upstream ended. */
  asked(outcome: "answered" | "failed" | "abandoned", ms: number): void;
  waitedForPool(ms: number): void;
  swapped(): void;
  refused(): void;
  /** A connection was closed by this side. */
  cut(why: "stalled" | "too long" | "too many"): void;
  limited(): void;
  /** The text that is served, with its media type. Figures of the process begin with the first call. */
  read(sources: MetricSources): Promise<{ text: string; type: string }>;
}

/** Of one route. */
interface Answered {
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

  // Counted here, and told when the figures are asked for: finding a label's figure costs more than counting.
  const answered = new Map<string, Answered>();
  const results: Record<Exclude<CacheUse, "live">, number> = { hit: 0, miss: 0, unchanged: 0 };
  const requests = counter("http_requests_total", "Requests by route and status; 499: the client hung up", [
    "route",
    "status",
  ]);
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "From the parsed head to the last byte",
    labelNames: ["route"],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const bytes = counter("http_response_bytes_total", "Bytes on the wire, heads included", ["route"]);
  const inFlight = gauge("http_requests_in_flight", "Requests whose answer has not ended");
  const cuts = counter("http_connections_cut_total", "Connections that this side closed", ["why"]);
  const rateLimited = counter("http_rate_limited_total", "Requests refused by RATE_LIMIT");
  const cache = counter("answer_cache_total", "Cacheable answers: remembered, made, or not changed", ["result"]);
  const upstream = counter(
    "upstream_questions_total",
    "Live questions to the schedule system; abandoned: the client left",
    ["outcome"],
  );
  const upstreamDuration = new Histogram({
    name: "upstream_question_duration_seconds",
    help: "How long live questions took",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
    registers,
  });
  const swaps = counter("snapshot_swaps_total", "Snapshots that came into service, the first included");
  const refusals = counter("snapshot_refusals_total", "Newer snapshots that were not taken into service");
  const info = gauge("snapshot_info", "The snapshot in service", ["id", "generation"]);
  const age = gauge("snapshot_age_seconds", "Since the last successful look at the upstream");
  const waiting = gauge("pool_waiting", "Statements that wait for a connection");
  const wait = new Histogram({
    name: "pool_wait_seconds",
    help: "How long statements waited for a connection",
    buckets: WAIT_SECONDS,
    registers,
  });
  // What never happened is told as 0: a monitor can then tell it from what is not measured.
  for (const outcome of ["answered", "failed", "abandoned"]) upstream.inc({ outcome }, 0);
  for (const why of ["stalled", "too long", "too many"]) cuts.inc({ why }, 0);
  let isProcessMeasured = false;

  return {
    observe({ route, status, ms, bytes: size, cache: result }) {
      let figures = answered.get(route);
      if (!figures) answered.set(route, (figures = { route: { route }, bytes: 0, byStatus: new Map() }));
      figures.bytes += size;
      figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1);
      duration.observe(figures.route, ms / 1000);
      if (result !== undefined && result !== "live") results[result]++;
    },
    asked(outcome, ms) {
      upstream.inc({ outcome });
      upstreamDuration.observe(ms / 1000);
    },
    waitedForPool: (ms) => wait.observe(ms / 1000),
    swapped: () => swaps.inc(),
    refused: () => refusals.inc(),
    cut: (why) => cuts.inc({ why }),
    limited: () => rateLimited.inc(),
    async read({ snapshot, ageSeconds, poolWaiting, underWay }) {
      // They need an observer and a clock that nothing can stop: only a server that somebody measures pays for them.
      if (!isProcessMeasured) collectDefaultMetrics({ register: registry });
      isProcessMeasured = true;
      for (const one of [requests, bytes, cache, info]) one.reset();
      for (const [route, { bytes: size, byStatus }] of answered) {
        bytes.inc({ route }, size);
        for (const [status, count] of byStatus) requests.inc({ route, status }, count);
      }
      for (const [result, count] of Object.entries(results)) if (count > 0) cache.inc({ result }, count);
      const served = snapshot();
      if (served) info.set({ id: served.id, generation: String(served.generation) }, 1);
      age.set(ageSeconds() ?? Number.NaN);
      waiting.set(poolWaiting());
      inFlight.set(underWay());
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
