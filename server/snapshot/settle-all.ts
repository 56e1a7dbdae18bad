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
