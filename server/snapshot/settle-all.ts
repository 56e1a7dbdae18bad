/** Work that is done at the same time, and done when all of it is. */

/** Waits for all, so that nothing goes on unseen when one has failed. @throws what the first of those that failed threw */
export async function settleAll<T extends readonly unknown[]>(
  all: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
