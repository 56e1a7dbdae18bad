/** Bounds the memory of large responses: streams by their number, as each holds a compressor and buffers, whole bodies by their bytes. */
import pLimit from "p-limit";
import type { AcquireSlot } from "../response/encoding/body-stream.ts";
import { unavailable } from "../response/problem.ts";

export interface LargeResponses {
  /** @throws Problem (503) when the queue is full */
  admit(): void;
  acquireSlot: AcquireSlot;
  /** Resolves when so many bytes may be held; the returned function says how many still are. @throws Problem (503) when the queue is full */
  hold(bytes: number): Promise<(left: number) => void>;
  inFlight(): number;
}

/** Of whole bodies that clients have not read yet. One alone may be larger. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function createLargeResponses({
  maxInFlight,
  maxQueued,
}: {
  maxInFlight: number;
  maxQueued: number;
}): LargeResponses {
  const slots = pLimit(maxInFlight);
  let heldBytes = 0;
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  function beginNext(): void {
    for (
      let next = waiting[0];
      next && (heldBytes === 0 || heldBytes + next.bytes <= MAX_HELD_BYTES);
      next = waiting[0]
    ) {
      waiting.shift();
      heldBytes += next.bytes;
      next.begin();
    }
  }
  const refuse = () => unavailable(5, "Too many large responses are in progress. Please try again in a few seconds.");
  return {
    inFlight: () => slots.activeCount,
    admit() {
      if (slots.activeCount >= maxInFlight && slots.pendingCount >= maxQueued) throw refuse();
    },
    async hold(bytes) {
      if (waiting.length >= maxQueued) throw refuse();
      await new Promise<void>((begin) => {
        waiting.push({ bytes, begin });
        beginNext();
      });
      let held = bytes;
      return (left) => {
        heldBytes += left - held;
        held = left;
        beginNext();
      };
    },
    acquireSlot: () => new Promise((acquired) => void slots(() => new Promise<void>((release) => acquired(release)))),
  };
}
