/** Yields to the event loop every 4 ms during long synchronous work. */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 4;

/** Returns a function to await between two pieces of work. Shorter slices delay requests less. */
export function createYielder(sliceMs = SLICE_MS): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await setImmediate();
    began = performance.now();
  };
}
