/** Single flight: callers with equal keys share a promise. */

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
