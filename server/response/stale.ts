/**
 * `Warning: 110` (RFC 7234 §5.5.1) for responses from partitions whose newer version was refused: they are as old as
 * their last check.
 */
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { Endpoint } from "./endpoint.ts";

/** Keeps the header short. */
const MOST_NAMED = 5;

/** Returns the warnings; a partition of a year or quarter that was not requested is not part of the response. */
export function staleWarnings(
  { tables }: Pick<Endpoint, "tables">,
  values: Readonly<Record<string, unknown>>,
  { withheld = [] }: Freshness,
): string[] {
  const matchesRequest = (name: "year" | "quarter", of: string | undefined) => {
    const requested = values[name];
    return of === undefined || requested === undefined || [requested].flat().includes(of);
  };
  const partitions = withheld.filter(
    ({ table, partition: { year, quarter } }) =>
      (tables as readonly string[]).includes(table) &&
      matchesRequest("year", year) &&
      matchesRequest("quarter", quarter),
  );
  return partitions
    .slice(0, MOST_NAMED)
    .map(({ title, since }) => `110 - "${title}: stale since ${since}, a newer version was refused"`);
}
