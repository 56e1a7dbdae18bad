/** Metrics of pipeline runs for operators: their results, the next run, and the free disk space. */
import { Gauge, type Registry } from "prom-client";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";

export interface RunSources {
  /** Returns undefined without a report; a replica never has one. */
  readonly lastRun: () => Promise<RunReport | undefined>;
  /** Returns the freshness; on a replica, that of its origin. */
  readonly freshness: () => Freshness;
  readonly now: () => Date;
  /** Returns the free bytes of the file system with the artifacts; NaN when it cannot be read. */
  readonly freeBytes: () => Promise<number>;
}

/** Sets the metrics at scrape time. A product that was not due in the last run has no result. */
export function createRunMetrics(registry: Registry): (sources: RunSources) => Promise<void> {
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
