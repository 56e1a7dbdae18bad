/** Long work in JavaScript, cut into turns: between them the event loop answers others. */
import { setImmediate } from "node:timers/promises";

/** The longest turn, in milliseconds. */
const TURN_MS = 4;

/** Returns what is awaited between two pieces of work; it waits only when the turn has lasted long enough. */
export function createYielder(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await setImmediate();
    began = performance.now();
  };
}
