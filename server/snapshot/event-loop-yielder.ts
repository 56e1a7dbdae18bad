/** Interrupts long synchronous work, so that requests do not wait for its end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

const SLICE_MS = 4;
const SHORT_SLICE_MS = 1;

/** Awaited between two pieces of work. */
export type Pace = () => Promise<void>;

/** Returns a function to await between two pieces of work: it yields to the event loop every 4 ms. */
export function createYielder(): Pace {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < SLICE_MS) return;
    await setImmediate();
    began = performance.now();
  };
}

const REST = 4;
/** Work that waits for others between its pieces, such as for the database, seems long without being so. */
const MAX_REST_MS = 10;

/** The same for work that is not urgent: every millisecond, then requests have the event loop `rest` times as long. */
export function createPacer(rest = REST): Pace {
  let began = performance.now();
  return async () => {
    const spent = performance.now() - began;
    if (spent < SHORT_SLICE_MS) return;
    await sleep(Math.min(rest * spent, MAX_REST_MS));
    began = performance.now();
  };
}
