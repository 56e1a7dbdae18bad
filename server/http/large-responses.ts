/** Bounds the memory of large responses: streams by their number, as each holds a compressor and buffers, whole bodies by their bytes. */
import type { ServerResponse } from "node:http";
import pLimit from "p-limit";
import type { AcquireSlot } from "../response/encoding/body-stream.ts";
import { MAX_BUFFERED_BYTES } from "../response/encoding/encoding.ts";
import { unavailable } from "../response/problem.ts";

export interface LargeResponses {
  /** @throws Problem (503) when the queue is full */
  admit(): void;
  acquireSlot: AcquireSlot;
  /** Resolves when so many bytes may be held; the returned function says how many still are. @throws Problem (503) when the queue is full */
  hold(bytes: number): Promise<(left: number) => void>;
  /** The same for a body that is held only if it is large; the returned function ends it. */
  holdLarge(bytes: number): Promise<() => void>;
  /** The same for a large body until its response is closed: a client that does not read keeps its body in memory. The returned function says the size of the body as encoded. */
  holdUntilSent(response: ServerResponse | undefined, bytes: number): Promise<(encoded: number) => void>;
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
  async function hold(bytes: number): Promise<(left: number) => void> {
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
  }

  return {
    inFlight: () => slots.activeCount,
    admit() {
      if (slots.activeCount >= maxInFlight && slots.pendingCount >= maxQueued) throw refuse();
    },
    hold,
    async holdLarge(bytes) {
      if (bytes <= MAX_BUFFERED_BYTES) return () => undefined;
      const keep = await hold(bytes);
      return () => keep(0);
    },
    async holdUntilSent(response, bytes) {
      if (!response) return () => undefined;
      const keep = await hold(bytes);
      if (response.closed) keep(0);
      else response.once("close", () => keep(0));
      return (encoded) => response.closed || keep(encoded);
    },
    acquireSlot: () => new Promise((acquired) => void slots(() => new Promise<void>((release) => acquired(release)))),
  };
}
