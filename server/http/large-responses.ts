/** Bounds the memory of large responses: streams by their number, as each holds a compressor and buffers, whole bodies by their bytes. */
import type { ServerResponse } from "node:http";
import { createQueue, NO_CLIENT } from "../duckdb/queue.ts";
import type { AcquireSlot } from "../response/encoding/body-stream.ts";
import { MAX_BUFFERED_BYTES } from "../response/encoding/encoding.ts";
import { unavailable } from "../response/problem.ts";

export interface LargeResponses {
  /** @throws Problem (503) when the queue is full */
  admit(): void;
  acquireSlot: AcquireSlot;
  /**
   * Resolves when so many bytes may be held; the returned function says how many still are.
   * @throws Problem (503) when the queue is full; the signal's reason
   */
  hold(bytes: number, signal: AbortSignal): Promise<(left: number) => void>;
  /** The same for a body that is held only if it is large; the returned function ends it. */
  holdLarge(bytes: number, signal: AbortSignal): Promise<() => void>;
  /** The same for a large body until its response is closed: a client that does not read keeps its body in memory. The returned function says the size of the body as encoded. */
  holdUntilSent(
    response: ServerResponse | undefined,
    bytes: number,
    signal: AbortSignal,
  ): Promise<(encoded: number) => void>;
  inFlight(): number;
  /** Those that wait for a slot or for bytes. */
  waiting(): number;
  /** Bytes of whole bodies that clients have not read yet. */
  heldBytes(): number;
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
  const slots = createQueue({ running: maxInFlight });
  let heldBytes = 0;
  const waiting = new Set<{ readonly bytes: number; readonly begin: () => void }>();
  function beginNext(): void {
    for (const next of waiting) {
      if (heldBytes > 0 && heldBytes + next.bytes > MAX_HELD_BYTES) return;
      waiting.delete(next);
      heldBytes += next.bytes;
      next.begin();
    }
  }
  const refuse = () => unavailable(5, "Too many large responses are in progress. Please try again in a few seconds.");
  async function hold(bytes: number, signal: AbortSignal): Promise<(left: number) => void> {
    signal.throwIfAborted();
    if (waiting.size >= maxQueued) throw refuse();
    let leave = () => {};
    await new Promise<void>((begin, reject) => {
      const entry = { bytes, begin };
      leave = () => {
        waiting.delete(entry);
        reject(signal.reason as Error);
        // It may have been larger than those behind it.
        beginNext();
      };
      signal.addEventListener("abort", leave);
      waiting.add(entry);
      beginNext();
    }).finally(() => signal.removeEventListener("abort", leave));
    let held = bytes;
    return (left) => {
      heldBytes += left - held;
      held = left;
      beginNext();
    };
  }

  return {
    inFlight: () => slots.running,
    waiting: () => slots.waiting + waiting.size,
    heldBytes: () => heldBytes,
    admit() {
      if (slots.running >= maxInFlight && slots.waiting >= maxQueued) throw refuse();
    },
    hold,
    async holdLarge(bytes, signal) {
      if (bytes <= MAX_BUFFERED_BYTES) return () => undefined;
      const keep = await hold(bytes, signal);
      return () => keep(0);
    },
    async holdUntilSent(response, bytes, signal) {
      if (!response) return () => undefined;
      const keep = await hold(bytes, signal);
      if (response.closed) keep(0);
      else response.once("close", () => keep(0));
      return (encoded) => response.closed || keep(encoded);
    },
    acquireSlot: (signal) => slots.enqueue(NO_CLIENT, signal),
  };
}
