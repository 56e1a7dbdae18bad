/** Interrupts long synchronous work, so that it does not block requests. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

const SLICE_MS = 4;
const SHORT_SLICE_MS = 1;

/** A function to await between two pieces of work. */
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
/** The longest rest: work that waits for the database between its pieces only seems to take long. */
const MAX_REST_MS = 10;

/** Returns the same for work that is not urgent: it pauses every millisecond, `rest` times as long as it ran. */
export function createPacer(rest = REST): Pace {
  let began = performance.now();
  return async () => {
    const spent = performance.now() - began;
    if (spent < SHORT_SLICE_MS) return;
    await sleep(Math.min(rest * spent, MAX_REST_MS));
    began = performance.now();
  };
}
