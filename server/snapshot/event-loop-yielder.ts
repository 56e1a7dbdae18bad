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

/** How much longer requests have the event loop than work that is not urgent. */
const REST = 4;
/** Work that waits for others between its pieces, such as for the database, seems long without being so. */
const MAX_REST_MS = 10;

/** The same for work that is not urgent: every millisecond, and it leaves four fifths of the time to requests. */
export function createPacer(): Pace {
  let began = performance.now();
  return async () => {
    const spent = performance.now() - began;
    if (spent < SHORT_SLICE_MS) return;
    await sleep(Math.min(REST * spent, MAX_REST_MS));
    began = performance.now();
  };
}
