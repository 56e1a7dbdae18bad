/** `Warning: 299` for a department code that nothing published has. */
import type { Endpoint } from "../response/endpoint.ts";
import { didYouMean, inHeader, toWarning } from "../response/warnings.ts";
import { departmentCodes } from "../search/department-codes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { sharedFilters } from "./shared-filters.ts";

/** An unknown code is not an error: the upstream or the next snapshot may have it. */
export async function departmentWarnings(endpoint: Endpoint, values: object, snapshot: Snapshot): Promise<string[]> {
  const { department } = values as { department?: unknown };
  if (endpoint.params["department"] !== sharedFilters.department.param || typeof department !== "string") return [];
  // A failed lookup must not fail the request.
  const codes = await snapshot.derive(departmentCodes).catch(() => undefined);
  return codes && !codes.has(department)
    ? [toWarning(`unknown department ${inHeader(department)}${didYouMean(codes.suggest(department))}`)]
    : [];
}
