/** Single flight for clients that may go away: work goes on for as long as any client waits for it. */

interface Work<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** @throws the signal's reason as soon as it aborts, and what the work throws */
type Share<T> = (key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** `begin` is called for the first of those with equal keys; its signal aborts when all of them have gone away. */
export function createSharedWork<T>(): Share<T> {
  const inFlight = new Map<string, Work<T>>();

  function start(key: string, begin: (signal: AbortSignal) => Promise<T>): Work<T> {
    const abort = new AbortController();
    const work: Work<T> = { abort, waiting: 0, result: begin(abort.signal).finally(() => forget(key, work)) };
    inFlight.set(key, work);
    // All who waited may have gone away before it fails.
    work.result.catch(() => undefined);
    return work;
  }
  function forget(key: string, work: Work<T>): void {
    if (inFlight.get(key) === work) inFlight.delete(key);
  }

  return async (key, signal, begin) => {
    signal.throwIfAborted();
    const work = inFlight.get(key) ?? start(key, begin);
    work.waiting++;
    try {
      return await orAborted(work.result, signal);
    } finally {
      work.waiting--;
      if (work.waiting === 0 && inFlight.get(key) === work) {
        forget(key, work);
        work.abort.abort();
      }
    }
  };
}

/** The promise's result. @throws the signal's reason as soon as it aborts */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
