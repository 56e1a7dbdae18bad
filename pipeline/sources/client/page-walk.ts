/** Fetches many pages of a system; single failures are tolerated. */
import { UpstreamError } from "../../errors.ts";
import type { Tally } from "../../contract/documents/tally.ts";

export interface Walked<T> {
  pages: T[];
  /** The names of pages that failed, whose rows are missing. */
  damaged: string[];
}

/**
 * Reads every item; the pages are in the order of `items`. The client bounds the concurrency. A failed item is reported
 * as damage.
 * @throws the first UpstreamError when every item fails, unless `mayAllFail`
 */
export async function walkPages<Item, T>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  read: (item: Item) => Promise<T>,
  tally: Tally,
  { mayAllFail = false } = {},
): Promise<Walked<T>> {
  const walked: Walked<T> = { pages: [], damaged: [] };
  let firstError: UpstreamError | undefined;
  const results = await Promise.all(
    items.map(async (item) => {
      try {
        return { page: await read(item) };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        firstError ??= error;
        return { failure: `${nameOf(item)}: ${error.message}`, name: nameOf(item) };
      }
    }),
  );
  if (firstError && !mayAllFail && results.every((result) => "failure" in result)) throw firstError;
  for (const result of results) {
    if ("page" in result) walked.pages.push(result.page);
    else {
      walked.damaged.push(result.name);
      tally.damage(result.failure);
    }
  }
  return walked;
}
