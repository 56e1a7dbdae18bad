/** What a body depends on besides its request, so that it outlives swaps that do not concern it. */
import type { Endpoint } from "../response/endpoint.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The rows of the endpoint's tables; those for COMPAT=1 have parts of further tables. */
export const bodyVersion = ({ isOfOneSnapshot, tables }: Endpoint, snapshot: Snapshot, compat: boolean): string =>
  isOfOneSnapshot || compat ? snapshot.id : snapshot.version(tables);

/** Those of all bodies of a snapshot. */
export const bodyVersions = (endpoints: readonly Endpoint[], snapshot: Snapshot): ReadonlySet<string> =>
  new Set([snapshot.id, ...endpoints.map(({ tables }) => snapshot.version(tables))]);
