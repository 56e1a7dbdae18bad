/**
 * Bounds the memory of large responses: streams by number, as each holds a compressor and buffers; whole bodies by
 * bytes.
 */
import type { ServerResponse } from "node:http";
import { createQueue, NO_CLIENT } from "../duckdb/queue.ts";
import { MAX_BUFFERED_BYTES } from "../response/encoding.ts";
import { unavailable } from "../response/problem.ts";

export type LargeResponses = ReturnType<typeof createLargeResponses>;

/** The most unread bytes of whole bodies. A single larger body is let through alone. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export function createLargeResponses({ maxInFlight = Infinity, maxQueued = Infinity } = {}) {
  const slots = createQueue({ running: maxInFlight });
  let heldBytes = 0;
  const reserved = new WeakMap<ServerResponse, (left: number) => void>();
  const waiting = new Set<{ readonly bytes: number; readonly begin: () => void }>();
  const fits = (bytes: number) => heldBytes === 0 || heldBytes + bytes <= MAX_HELD_BYTES;
  function beginNext(): void {
    for (const next of waiting) {
      if (!fits(next.bytes)) return;
      waiting.delete(next);
      heldBytes += next.bytes;
      next.begin();
    }
  }
  const refuse = () => unavailable(5, "Too many large responses are in progress. Please try again in a few seconds.");
  /**
   * Reserves memory; the returned function changes the reservation to the given number of bytes.
   * @throws Problem (503) when the queue is full; the signal's reason
   */
  async function reserveMemory(bytes: number, signal: AbortSignal): Promise<(left: number) => void> {
    signal.throwIfAborted();
    if (waiting.size >= maxQueued) throw refuse();
    let leave = () => {};
    await new Promise<void>((begin, reject) => {
      const entry = { bytes, begin };
      leave = () => {
        waiting.delete(entry);
        reject(signal.reason as Error);
        // The abandoned reservation may have been larger than those behind it.
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
    /** Counts the requests that wait for a slot or for memory. */
    waiting: () => slots.waiting + waiting.size,
    /** Counts the bytes of whole bodies that clients have not read yet. */
    heldBytes: () => heldBytes,
    /** Checks that a stream may start. @throws Problem (503) when the queue is full */
    admit(): void {
      if (slots.running >= maxInFlight && slots.waiting >= maxQueued) throw refuse();
    },
    /** Returns whether a reservation of so many bytes would be granted at once. */
    hasRoom: (bytes: number): boolean => waiting.size === 0 && fits(bytes),
    /** Reserves memory only for a large body; the returned function releases it. */
    async reserveLarge(bytes: number, signal: AbortSignal): Promise<() => void> {
      if (bytes <= MAX_BUFFERED_BYTES) return () => undefined;
      const resize = await reserveMemory(bytes, signal);
      return () => resize(0);
    },
    /**
     * Reserves memory for a large body until the response is closed, because a client that does not read keeps its body
     * in memory; once for each response, so that none waits for room that it holds itself. The returned function sets
     * the size of the encoded body.
     */
    async reserveUntilSent(
      response: ServerResponse | undefined,
      bytes: number,
      signal: AbortSignal,
    ): Promise<(encoded: number) => void> {
      if (!response || bytes <= MAX_BUFFERED_BYTES) return () => undefined;
      const resize = reserved.get(response) ?? (await reserveMemory(bytes, signal));
      if (response.closed) resize(0);
      else if (!reserved.has(response)) response.once("close", () => resize(0));
      reserved.set(response, resize);
      return (encoded) => void (response.closed || resize(encoded));
    },
    acquireSlot: (signal: AbortSignal): Promise<() => void> => slots.enqueue(NO_CLIENT, signal),
  };
}
