/** What an operator watches of the runs that make the data: their results, the next one, the room that is left. */
import { Gauge, type Registry } from "prom-client";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { RunReport } from "../../pipeline/contract/documents/run-report.ts";

export interface RunSources {
  /** Undefined without a report: a replica has none. */
  readonly lastRun: () => Promise<RunReport | undefined>;
  /** Of a replica: its origin's. */
  readonly freshness: () => Freshness;
  readonly now: () => Date;
  /** Of the file system with the artifacts; NaN when it cannot be read. */
  readonly freeBytes: () => Promise<number>;
}

/** Sets the figures at scrape time. A product that was not due in the last run has no result of it. */
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
    for (const [product, at] of Object.entries(products))
      age.set({ product }, (now().getTime() - Date.parse(at)) / 1000);
    parts.set(refused.length);
    for (const part of refused) withheld.set({ part: part.title }, Date.parse(part.since) / 1000);
    next.set(nextRefresh === null ? Number.NaN : Date.parse(nextRefresh) / 1000);
    free.set(await freeBytes());
  };
}
