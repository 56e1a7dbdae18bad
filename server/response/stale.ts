/** `Warning: 110` (RFC 7234 §5.5.1) for responses from parts of which a newer version was refused: they are as old as their last check. */
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { Endpoint } from "./endpoint.ts";

/** Limits the header. */
const MOST_NAMED = 5;

/** A part of another year or quarter than the one that is asked for is no part of the response. */
export function staleWarnings(
  { tables }: Pick<Endpoint, "tables">,
  values: Readonly<Record<string, unknown>>,
  { withheld = [] }: Freshness,
): string[] {
  const isAsked = (name: "year" | "quarter", of: string | undefined) => {
    const asked = values[name];
    return of === undefined || asked === undefined || [asked].flat().includes(of);
  };
  const parts = withheld.filter(
    ({ table, partition: { year, quarter } }) =>
      (tables as readonly string[]).includes(table) && isAsked("year", year) && isAsked("quarter", quarter),
  );
  return parts
    .slice(0, MOST_NAMED)
    .map(({ title, since }) => `110 - "${title}: stale since ${since}, a newer version was refused"`);
}
