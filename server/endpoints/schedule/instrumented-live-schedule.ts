/** Counts the live questions of clients, and how long they wait for them. */
import type { LiveSchedule } from "../../response/endpoint.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

export function instrumentLiveSchedule(live: LiveSchedule, metrics: Pick<Metrics, "observeUpstream">): LiveSchedule {
  return {
    async ask(query, signal) {
      const began = performance.now();
      try {
        const answer = await live.ask(query, signal);
        metrics.observeUpstream("answered", performance.now() - began);
        return answer;
      } catch (error) {
        // That a client left says nothing about the upstream.
        metrics.observeUpstream(signal.aborted ? "abandoned" : "failed", performance.now() - began);
        throw error;
      }
    },
  };
}
