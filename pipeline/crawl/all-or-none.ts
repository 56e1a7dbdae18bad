/**
 * Runs the work for all items at once; when one fails, the others are aborted. Settles when no work is running any more.
 * @throws the first failure
 */
export async function allOrNone<Item, Result>(
  items: readonly Item[],
  outer: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal;
  const failures: unknown[] = [];
  const settled = await Promise.allSettled(
    items.map((item) =>
      work(item, signal).catch((error: unknown) => {
        failures.push(error);
        failed.abort();
        throw error;
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
  return settled.map((result) => (result as PromiseFulfilledResult<Result>).value);
}
