/**
 * LRU cache of encoded bodies, bounded in bytes. The key (version of the data, encoding, normalized query) determines the body, so entries never go stale.
 * Concurrent requests for one key share one computation.
 */
import { LRUCache } from "lru-cache";

export interface EncodedBody {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly headers: Readonly<Record<string, string>>;
  readonly rows?: number;
}

export type Encoding = "br" | "zstd" | "gzip" | "identity";

const MAX_BYTES = 64 * 1024 * 1024;
export const MAX_ENTRY_BYTES = MAX_BYTES / 4;

export interface BodyCache {
  /** Keys begin with the version of the data and a space. */
  find(key: string): EncodedBody | undefined;
  set(key: string, body: EncodedBody): void;
  /** Keeps only bodies of these versions. */
  retain(versions: ReadonlySet<string>): void;
  /** Runs `make` once for concurrent calls with the same key. */
  share<T>(key: string, make: () => Promise<T>): Promise<T>;
}

export function createBodyCache(maxBytes = MAX_BYTES): BodyCache {
  const bodies = new LRUCache<string, EncodedBody>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 500,
  });
  const inFlight = new Map<string, Promise<unknown>>();
  return {
    find: (key) => bodies.get(key),
    set: (key, body) => void bodies.set(key, body),
    retain(versions) {
      for (const key of bodies.keys()) if (!versions.has(key.slice(0, key.indexOf(" ")))) bodies.delete(key);
    },
    share<T>(key: string, make: () => Promise<T>): Promise<T> {
      let shared = inFlight.get(key) as Promise<T> | undefined;
      if (!shared) {
        shared = make().finally(() => inFlight.delete(key));
        inFlight.set(key, shared);
      }
      return shared;
    },
  };
}
