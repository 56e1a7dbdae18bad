/** Single flight: callers with equal keys share a promise, or work that ends when all of its clients disconnect. */

interface Work<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Shares work between clients that may disconnect. `begin` is called once for concurrent calls with equal keys; its
 * signal aborts when all of their clients have disconnected. @throws the signal's reason as soon as it aborts, and errors
 * of the work
 */
export function createSharedWork<T>() {
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

  return async (key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> => {
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
export const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });

interface Promises<K, T> {
  get(key: K): Promise<T> | undefined;
  set(key: K, promise: Promise<T>): unknown;
  delete(key: K): unknown;
}

/**
 * Returns the promise under `key`, created on first use. Failures are not cached, so that the next caller tries again.
 */
export function once<K, T>(promises: Promises<K, T>, key: K, make: () => Promise<T>): Promise<T> {
  const existing = promises.get(key);
  if (existing) return existing;
  const promise = make();
  promises.set(key, promise);
  promise.catch(() => promises.get(key) === promise && promises.delete(key));
  return promise;
}

/**
 * Like `Promise.all`, but waits for every promise, so that nothing continues after a failure.
 * @throws the first rejection, in the order of `all`
 */
export async function settleAll<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
