/** Limits concurrent streamed responses, because each holds a compressor and buffers. */
import pLimit from "p-limit";
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
  const slots = pLimit(maxInFlight);
  return {
    inFlight: () => slots.activeCount,
    admit() {
      if (slots.activeCount >= maxInFlight && slots.pendingCount >= maxQueued)
        throw new Problem(503, "Too many large responses are in progress. Please try again in a few seconds.", {
          "Retry-After": RETRY_AFTER_SECONDS,
        });
    },
    acquireSlot: () => new Promise((acquired) => void slots(() => new Promise<void>((release) => acquired(release)))),
  };
}
