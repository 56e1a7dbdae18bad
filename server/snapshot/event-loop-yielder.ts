/** Interrupts long synchronous work, so that requests do not wait for its end. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";

const SLICE_MS = 4;
const SHORT_SLICE_MS = 1;

/** Awaited between two pieces of work; `since`: when the last piece began (`performance.now()`), where something else was awaited before it. */
export type Pace = (since?: number) => Promise<void>;

function createPace(sliceMs: number, rest: (spent: number) => Promise<unknown>): Pace {
  let spent = 0;
  let resumed = performance.now();
  return async (since = resumed) => {
    spent += performance.now() - since;
    if (spent >= sliceMs) {
      await rest(spent);
      spent = 0;
    }
    resumed = performance.now();
  };
}

/** Returns a function to await between two pieces of work: it yields to the event loop every 4 ms. */
export const createYielder = (): Pace => createPace(SLICE_MS, () => setImmediate());

/** How much longer requests have the event loop than work that is not urgent. */
const REST = 4;

/** The same for work that is not urgent: every millisecond, and it leaves four fifths of the time to requests. */
export const createPacer = (): Pace => createPace(SHORT_SLICE_MS, (spent) => sleep(REST * spent));
