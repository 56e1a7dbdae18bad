/** Counts the live questions of clients, and how long they wait for them. */
import type { LiveDoor } from "./schedule/live-schedule.ts";
import type { Metrics } from "../telemetry/metrics.ts";

export function observedDoor(door: LiveDoor, metrics: Pick<Metrics, "asked">): LiveDoor {
  return {
    async ask(term, values, accentedNames, signal) {
      const began = performance.now();
      try {
        const answer = await door.ask(term, values, accentedNames, signal);
        metrics.asked("answered", performance.now() - began);
        return answer;
      } catch (error) {
        // That a client left says nothing about the upstream.
        metrics.asked(signal.aborted ? "abandoned" : "failed", performance.now() - began);
        throw error;
      }
    },
  };
}
