import type { Freshness } from "../contract/documents/manifest.ts";
import { termName } from "../contract/vocabulary.ts";
import type { RunContext } from "../products/context.ts";
import type { ProductReport } from "../contract/documents/run-report.ts";

const HOUR_MS = 3_600_000;

/** The freshness before the run, updated with what the run checked. */
export function nextFreshness(
  { accepted, crawled, freshness, now }: RunContext,
  products: readonly ProductReport[],
): Freshness {
  const at = now();
  // The history step publishes the catalogue and the directory.
  const isLost = products.some(({ product, status }) => product === "history" && status === "failed");
  const looked = products.filter(
    ({ product, status }) => status === "published" && !(isLost && ["catalogue", "instructors"].includes(product)),
  );
  const times = Object.fromEntries(looked.map(({ product }) => [product, at.toISOString()]));
  const damaged = looked.filter((report) => report.damaged.length > 0).map(({ product }) => product as string);
  const timesOf = (terms: RunContext["crawled"]) =>
    Object.fromEntries(terms.map(({ term, startedAt }) => [termName(term), startedAt]));
  const acceptances = Object.fromEntries([...accepted].map((part) => [part, at.toISOString()]));
  return {
    products: { ...freshness.products, ...times },
    incomplete: [...(freshness.incomplete ?? []).filter((product) => !(product in times)), ...damaged],
    terms: { ...freshness.terms, ...timesOf(crawled) },
    endedDepartments: { ...freshness.endedDepartments, ...timesOf(crawled.filter(({ withEnded }) => withEnded)) },
    accepted: { ...freshness.accepted, ...acceptances },
    nextRefresh: new Date(at.getTime() + HOUR_MS).toISOString(),
  };
}
