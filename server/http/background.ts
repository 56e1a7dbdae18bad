/** Requests about earlier snapshots run in the background of current ones, which they must not slow down (behaviour §9). */

export interface Background {
  /** When the last current request began, in milliseconds of `performance.now()`. */
  lastCurrent: number;
  /** Whether there has been no current request for a moment. */
  isIdle(): boolean;
  /** Waits for such a moment: one request every TURN_MS does not, and none waits longer than MAX_WAIT_MS. */
  turn(): Promise<void>;
}

const IDLE_MS = 5;
/** Each turn delays the current requests in flight; four times a second, that is far less than one in a hundred of a full load. */
const TURN_MS = 250;
const MAX_WAIT_MS = 1_000;

export function createBackground(): Background {
  const waiting: { readonly since: number; readonly start: () => void }[] = [];
  let lastTurn = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const background: Background = {
    lastCurrent: -Infinity,
    isIdle: () => performance.now() - background.lastCurrent >= IDLE_MS,
    turn() {
      if (waiting.length === 0 && background.isIdle()) return Promise.resolve();
      return new Promise((start) => {
        waiting.push({ since: performance.now(), start });
        // After the sockets were read: requests that arrived during a long task count.
        timer ??= setInterval(() => void setImmediate(startNext), IDLE_MS);
      });
    },
  };

  function startNext(): void {
    const at = performance.now();
    for (let [next] = waiting; next; [next] = waiting) {
      const isDue = at - lastTurn >= TURN_MS;
      if (!isDue && !background.isIdle() && at - next.since < MAX_WAIT_MS) return;
      if (isDue) lastTurn = at;
      waiting.shift();
      next.start();
    }
    clearInterval(timer);
    timer = undefined;
  }

  return background;
}
