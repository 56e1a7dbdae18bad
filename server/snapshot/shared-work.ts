/** Single flight for clients that may disconnect: the work continues as long as any client waits for it. */

interface Work<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** Shares work by key. @throws the signal's reason as soon as it aborts, and errors of the work */
type Share<T> = (key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Creates the share. `begin` is called once for concurrent calls with equal keys; its signal aborts when all of their
 * clients have disconnected.
 */
export function createSharedWork<T>(): Share<T> {
  const inFlight = new Map<string, Work<T>>();

  function start(key: string, begin: (signal: AbortSignal) => Promise<T>): Work<T> {
    const abort = new AbortController();
    const work: Work<T> = { abort, waiting: 0, result: begin(abort.signal).finally(() => forget(key, work)) };
    inFlight.set(key, work);
    // All waiting clients may have disconnected before it fails.
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

/** Returns the promise's result. @throws the signal's reason as soon as it aborts */
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
