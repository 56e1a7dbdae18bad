/** The terms of a snapshot's schedule, in memory while requests use them. */
import { type Term, termName, compareTerms } from "../../../pipeline/contract/vocabulary.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { filesOf } from "../generation.ts";
import { rowsOf } from "./loading.ts";
import type { LoadingParts } from "./table-cache.ts";
import { type LoadedTerm, loadTerm } from "../tables/schedule-term.ts";

export type Terms = ReturnType<typeof createTerms>;

/** @param earlier true if the snapshot is not the current one */
export function createTerms({ published, tableCache, pool, earlier }: LoadingParts & { readonly earlier: boolean }) {
  /** Returns the key of a term's table in the cache: the content of its files. */
  const keyOf = (term: Term) =>
    (["sections", "headings"] as const).map((table) => filesOf(published, table, term).key).join(" ");
  const publishedTerms = published.manifest.files
    .filter(({ table }) => table === "sections")
    .flatMap(({ partition: { year, quarter } }) => (year && quarter ? [{ year, quarter }] : []))
    .sort((a, b) => compareTerms(b, a));
  const terms = new Map(publishedTerms.map((term) => [termName(term), { term, key: keyOf(term) }]));
  const release = tableCache.expect(new Set([...terms.values()].map(({ key }) => key)), earlier);

  async function useTerm<T>(
    { term, key }: { readonly term: Term; readonly key: string },
    loader: Pool,
    use: (loaded: LoadedTerm) => Promise<T>,
  ): Promise<T> {
    const loaded = await tableCache.acquire(key, () =>
      loadTerm(loader, rowsOf(published, "sections", term), rowsOf(published, "headings", term)),
    );
    try {
      return await use(loaded);
    } finally {
      tableCache.release(key);
    }
  }

  return {
    publishedTerms,
    /** Runs `use` on a term of the schedule, which is loaded if needed; undefined when the term is not published. */
    withTerm<T>(term: Term, use: (loaded: LoadedTerm) => Promise<T>): Promise<T> | undefined {
      const files = terms.get(termName(term));
      return files && useTerm(files, pool, use);
    },
    /** Returns the loaded terms, most used first: the next snapshot preloads them. */
    loadedTerms: (): Term[] =>
      [...terms.values()]
        .map(({ term, key }) => ({ term, uses: tableCache.uses(key) ?? 0 }))
        .filter(({ uses }) => uses > 0)
        .sort((a, b) => b.uses - a.uses)
        .map(({ term }) => term),
    /** Loads at most `most` terms: the wanted ones that are not loaded, or else the latest. */
    async preload(loader: Pool, most: number, wanted?: readonly Term[]): Promise<void> {
      const wantedFiles = wanted
        ?.flatMap((term) => terms.get(termName(term)) ?? [])
        .filter(({ key }) => tableCache.uses(key) === undefined);
      for (const files of (wantedFiles ?? [...terms.values()]).slice(0, most))
        await useTerm(files, loader, () => Promise.resolve());
    },
    release,
  };
}
