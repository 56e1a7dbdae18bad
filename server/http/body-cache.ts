/** Caches encoded bodies by version of the data, encoding and normalized query. */
import { LRUCache } from "lru-cache";
import { type EncodedBody, MAX_WHOLE_BYTES } from "../response/encoding/encoding.ts";
import type { Endpoint } from "../response/endpoint.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * Returns the version of the data that a body depends on: that of the endpoint's tables, or the id of the whole
 * snapshot.
 */
export const bodyVersion = (
  { isOfSnapshot = false, tables }: Endpoint,
  { id, versions }: Snapshot,
  hasFurtherTables: boolean,
): string => (isOfSnapshot || hasFurtherTables ? id : tables.map((table) => versions[table]).join("-"));

/** Returns the versions of all bodies that a snapshot can have. */
export const bodyVersions = (endpoints: readonly Endpoint[], snapshot: Snapshot): ReadonlySet<string> =>
  new Set([snapshot.id, ...endpoints.map((endpoint) => bodyVersion(endpoint, snapshot, false))]);

/** A cache of encoded bodies. The key determines the body, so entries never go stale. */
export interface BodyCache {
  /** Looks up a body. Keys begin with the version of the data and a space. */
  find(key: string): EncodedBody | undefined;
  set(key: string, body: EncodedBody): void;
  /** Drops the bodies of all other versions. */
  retain(versions: ReadonlySet<string>): void;
}

const MAX_BODY_BYTES = 4 * MAX_WHOLE_BYTES;

export function createBodyCache(maxBytes = MAX_BODY_BYTES): BodyCache {
  const bodies = new LRUCache<string, EncodedBody>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 500,
  });
  return {
    find: (key) => bodies.get(key),
    set: (key, body) => void bodies.set(key, body),
    retain(versions) {
      for (const key of bodies.keys()) if (!versions.has(key.slice(0, key.indexOf(" ")))) bodies.delete(key);
    },
  };
}
