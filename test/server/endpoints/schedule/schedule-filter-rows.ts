/**
 * One row for each filter of the schedule endpoint: its rule, a term of its own with sections that match and near misses, and what each
 * question must find. EndpointContext over HTTP of a server that reads published partitions.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Section } from "../../../../pipeline/contract/rows/section.ts";
import { openFolder, serve } from "../../../support/whole-run.ts";
import { publishRows } from "../../../support/published/published.ts";
import { headingsOf, sectionRow } from "../../../support/worlds/section-rows.ts";

export interface FilterRow {
  filter: string;
  rule: string;
  /** By section code: what is special about it. */
  sections: Record<string, Partial<Section>>;
  /** A query, as a client writes it, and the codes that it must find. */
  asks: [query: string, found: string[]][];
}

/** A test for each row. What it returns may be used once these tests run. */
export function testFilters(rows: readonly FilterRow[]) {
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let server: Awaited<ReturnType<typeof serve>>;
  // Each row has a year of its own.
  const yearOf = (filter: string) => String(2001 + rows.findIndex((row) => row.filter === filter));

  beforeAll(async () => {
    folder = await openFolder();
    const sections = rows.flatMap((row) =>
      Object.entries(row.sections).map(([sectionCode, change]) =>
        sectionRow({ year: yearOf(row.filter), sectionCode, ...change }),
      ),
    );
    await publishRows(folder.artifacts, { sections, headings: headingsOf(sections) });
    server = await serve(folder.env);
  });
  afterAll(async () => {
    await server?.close();
    await folder?.remove();
  });

  const json = (path: string) => server.json<object>(path);
  /** The codes of an answer about the term of a row, in its order. */
  const ask = async (filter: string, query: string): Promise<string[]> => {
    const tree = await json(`/schedule?year=${yearOf(filter)}&quarter=Fall&cacheOnly=true&${query}`);
    return [...JSON.stringify(tree).matchAll(/"sectionCode":"(\d{5})"/g)].map(([, code = ""]) => code);
  };

  it.each(rows)("$filter: $rule", async ({ filter, sections, asks }) => {
    for (const [query, found] of asks)
      expect({ query, found: (await ask(filter, query)).sort() }).toEqual({ query, found: [...found].sort() });
    // An unfiltered question finds everything that is not cancelled: each row's misses are really there.
    const kept = Object.entries(sections).filter(([, change]) => !change.cancelled);
    expect((await ask(filter, "")).sort()).toEqual(kept.map(([code]) => code).sort());
  });
  return { ask, json, yearOf };
}
