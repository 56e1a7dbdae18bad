import type { LiveSchedule } from "../../response/endpoint.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

export function instrumentLiveSchedule(live: LiveSchedule, metrics: Pick<Metrics, "observeUpstream">): LiveSchedule {
  return {
    async ask(query, signal) {
      const began = performance.now();
      try {
        const result = await live.ask(query, signal);
        metrics.observeUpstream("answered", performance.now() - began);
        return result;
      } catch (error) {
        // A client disconnect is not an upstream failure.
        metrics.observeUpstream(signal.aborted ? "abandoned" : "failed", performance.now() - began);
        throw error;
      }
    },
  };
}
