/** `Warning: 299` for a department code, an instructor's name or a network id that nothing published has. */
import type { Endpoint } from "../response/endpoint.ts";
import { didYouMean, inHeader, toWarning } from "../response/warnings.ts";
import { departmentCodes } from "../search/department-codes.ts";
import { instructorNames } from "../search/instructor-names.ts";
import { netids } from "../search/netids.ts";
import type { Derivation } from "../snapshot/loading/derived.ts";
import type { Droppable } from "../snapshot/loading/table-cache.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { sharedFilters } from "./shared-filters.ts";

interface KnownValues extends Droppable {
  has(value: string): boolean;
  suggest(value: string): string[];
}

/** By the name of the shared filter. */
const KNOWN = {
  department: departmentCodes,
  instructor: instructorNames,
  netid: netids,
} as const satisfies Record<string, Derivation<KnownValues>>;

/** An unknown value is not an error: the upstream or the next snapshot may have it. */
export async function unknownValueWarnings(endpoint: Endpoint, values: object, snapshot: Snapshot): Promise<string[]> {
  const warnings: string[] = [];
  for (const [name, derivation] of Object.entries(KNOWN)) {
    const value: unknown = (values as Record<string, unknown>)[name];
    const { param } = sharedFilters[name as keyof typeof KNOWN];
    if (endpoint.params[name] !== param || typeof value !== "string") continue;
    // A failed lookup must not fail the request.
    const known = await snapshot.derive<KnownValues>(derivation).catch(() => undefined);
    if (known && !known.has(value))
      warnings.push(toWarning(`unknown ${name} ${inHeader(value)}${didYouMean(known.suggest(value))}`));
  }
  return warnings;
}
