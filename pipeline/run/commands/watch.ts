/** Refreshes every hour, one run at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { PipelineConfig } from "../../settings/pipeline.ts";
import { LockedError } from "../../errors.ts";
import { createLog } from "../../log.ts";

const HOUR_MS = 3_600_000;
/** Spreads the requests of many installations over a few minutes. */
const JITTER_MS = 120_000;
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Waits; rejects when the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Runs until SIGTERM or SIGINT, and lets the current run finish. A second signal exits immediately. `refresh` returns
 * whether all products were published.
 */
export async function watch(
  config: PipelineConfig,
  refresh: () => Promise<boolean>,
  wait: Wait = (ms, signal) => sleep(ms, undefined, { signal }),
): Promise<true> {
  const log = createLog(config.logLevel);
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  while (!stop.signal.aborted) {
    // Do not use the time of day, which may be corrected by days during a run.
    const began = performance.now();
    try {
      const isWhole = await refresh();
      log.info("refreshed", { status: isWhole ? 0 : 1, seconds: Math.round((performance.now() - began) / 1000) });
    } catch (error) {
      if (error instanceof LockedError) log.warn("another run is in progress; skipping this one");
      else log.error("the run failed", { cause: String(error) });
    }
    const next = began + HOUR_MS + Math.random() * JITTER_MS;
    await wait(Math.max(0, next - performance.now()), stop.signal).catch(() => undefined);
  }
  for (const signal of SIGNALS) process.off(signal, end);
  return true;
}
