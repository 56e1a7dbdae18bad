/** How fast one upstream system is asked: the configured pause between requests, and more of it while the system says that we are too fast. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Throttle {
  /** Resolves when the next request may start. @throws when the signal aborts first */
  turn(signal?: AbortSignal): Promise<void>;
  /** A request has ended. */
  ended(): void;
  /** The system signals its rate limit. */
  tooFast(): void;
  /** A response came as it should. */
  wentWell(): void;
}

/** The first extra pause when the system says "slow down", and the longest. */
const FIRST_EXTRA_MS = 25;
const LONGEST_EXTRA_MS = 2000;
/** What remains of the extra pause after each response that came as it should: some dozens of them make it small again. */
const DECAY = 0.95;

/**
 * Starts are `pauseMs` apart. Where one request is made at a time the pause is kept after the end of the one before as well: it is a pause for the
 * system, however long its response took.
 */
export function createThrottle({ concurrency, pauseMs }: { concurrency: number; pauseMs: number }): Throttle {
  let nextStart = 0;
  let extraMs = 0;
  let slowedUntil = 0;
  const pause = () => pauseMs + extraMs;
  return {
    async turn(signal) {
      const now = performance.now();
      const start = Math.max(now, nextStart);
      nextStart = start + pause();
      if (start > now) await sleep(Math.ceil(start - now), undefined, signal ? { signal } : {});
    },
    ended() {
      if (concurrency === 1) nextStart = Math.max(nextStart, performance.now() + pause());
    },
    tooFast() {
      const now = performance.now();
      // Requests that were under way together are refused together: that is one signal.
      if (now > slowedUntil) {
        extraMs = Math.min(Math.max(extraMs * 2, FIRST_EXTRA_MS), LONGEST_EXTRA_MS);
        slowedUntil = now + concurrency * pause();
      }
      nextStart = Math.max(nextStart, now + pause());
    },
    wentWell() {
      extraMs = extraMs < 1 ? 0 : extraMs * DECAY;
    },
  };
}
