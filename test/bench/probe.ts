/** Runs inside a measured process, before its program: memory and the delay of the event loop since the last look. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { answerMessages } from "./answer-messages.ts";

export interface Probe {
  /** Resident megabytes: now, the most since the last look (seen every 20 ms), and the most ever. */
  readonly rss: number;
  readonly peak: number;
  readonly everPeak: number;
  /** The longest time for which the event loop did not turn, in milliseconds. */
  readonly loopDelay: number;
}

const RESOLUTION_MS = 1;
const LOOK_MS = 20;
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

if (process.send) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let peak = 0;
  setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), LOOK_MS).unref();
  answerMessages<{ look: true }>((): Probe => {
    const rss = process.memoryUsage.rss();
    const seen = {
      rss: megabytes(rss),
      peak: megabytes(Math.max(peak, rss)),
      everPeak: megabytes(process.resourceUsage().maxRSS * 1024),
      loopDelay: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
    };
    delay.reset();
    peak = 0;
    return seen;
  });
  // The measured program ends when it has nothing to do, whoever listens.
  process.channel?.unref();
}
