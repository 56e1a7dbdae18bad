/** Limits concurrent streamed responses, because each holds a compressor and buffers. */
import type { AcquireSlot } from "../response/encoding/body-stream.ts";
import { Problem } from "../response/problem.ts";

export interface LargeResponses {
  /** @throws Problem (503) when the queue is full */
  admit(): void;
  acquireSlot: AcquireSlot;
  inFlight(): number;
}

const RETRY_AFTER_SECONDS = "5";

export function createLargeResponses({
  maxInFlight,
  maxQueued,
}: {
  maxInFlight: number;
  maxQueued: number;
}): LargeResponses {
  const queue: (() => void)[] = [];
  let inFlight = 0;

  function release(): void {
    // A queued response takes over the slot, so that the count stays.
    const next = queue.shift();
    if (next) next();
    else inFlight--;
  }

  return {
    inFlight: () => inFlight,
    admit() {
      if (inFlight >= maxInFlight && queue.length >= maxQueued)
        throw new Problem(503, "Too many large responses are in progress. Please try again in a few seconds.", {
          "Retry-After": RETRY_AFTER_SECONDS,
        });
    },
    async acquireSlot() {
      if (inFlight >= maxInFlight) await new Promise<void>((resolve) => queue.push(resolve));
      else inFlight++;
      let isReleased = false;
      return () => {
        if (!isReleased) release();
        isReleased = true;
      };
    },
  };
}
