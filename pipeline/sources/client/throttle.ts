/**
 * Spaces the requests to an upstream system: the configured pause, and more while the system signals its rate limit.
 */
import { setTimeout as sleep } from "node:timers/promises";

export interface Throttle {
  /** Resolves when the next request may start. @throws when the signal aborts first */
  wait(signal?: AbortSignal): Promise<void>;
  onEnd(): void;
  onRateLimit(): void;
  onSuccess(): void;
}

/** The extra pause after the first rate-limit signal, and its maximum. */
const FIRST_EXTRA_MS = 25;
const LONGEST_EXTRA_MS = 2000;
/** The extra pause is multiplied by this after each success: a few dozen make it negligible. */
const DECAY = 0.95;

/**
 * Starts are `pauseMs` apart. With a concurrency of 1 the pause also follows the end of the previous request, so that a
 * slow system gets its pause too.
 */
export function createThrottle({ concurrency, pauseMs }: { concurrency: number; pauseMs: number }): Throttle {
  let nextStart = 0;
  let extraMs = 0;
  let slowedUntil = 0;
  const pause = () => pauseMs + extraMs;
  return {
    async wait(signal) {
      const now = performance.now();
      const start = Math.max(now, nextStart);
      nextStart = start + pause();
      if (start > now) await sleep(Math.ceil(start - now), undefined, signal ? { signal } : {});
    },
    onEnd() {
      if (concurrency === 1) nextStart = Math.max(nextStart, performance.now() + pause());
    },
    onRateLimit() {
      const now = performance.now();
      // Requests that are in flight together are refused together, which counts as a single signal.
      if (now > slowedUntil) {
        extraMs = Math.min(Math.max(extraMs * 2, FIRST_EXTRA_MS), LONGEST_EXTRA_MS);
        slowedUntil = now + concurrency * pause();
      }
      nextStart = Math.max(nextStart, now + pause());
    },
    onSuccess() {
      extraMs = extraMs < 1 ? 0 : extraMs * DECAY;
    },
  };
}
