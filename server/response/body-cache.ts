/**
 * EncodedBody answers, bounded in bytes. An answer is decided by (snapshot, canonical query, encoding), so what is found here is always right;
 * equal questions that arrive together are answered once.
 */
import { LRUCache } from "lru-cache";

export interface EncodedBody {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly headers: Readonly<Record<string, string>>;
  /** How many rows it holds, where that was counted. */
  readonly rows?: number;
}

export type Encoding = "br" | "zstd" | "gzip" | "identity";

/** 64 MB in all; one answer, such as a whole term as it is, at most a quarter of it. */
const MAX_BYTES = 64 * 1024 * 1024;
export const MAX_ENTRY_BYTES = MAX_BYTES / 4;

export interface BodyCache {
  /** A key begins with the snapshot's id and a blank. */
  find(key: string): EncodedBody | undefined;
  keep(key: string, answer: EncodedBody): void;
  /** Lets go of a snapshot's answers when it is freed: nobody can ask for them any more. */
  forget(snapshotId: string): void;
  /** Runs `make` once for all who ask for `key` at the same time. */
  share<T>(key: string, make: () => Promise<T>): Promise<T>;
}

export function createBodyCache(): BodyCache {
  const kept = new LRUCache<string, EncodedBody>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 500,
  });
  const underWay = new Map<string, Promise<unknown>>();
  return {
    find: (key) => kept.get(key),
    keep: (key, answer) => void kept.set(key, answer),
    forget(snapshotId) {
      for (const key of kept.keys()) if (key.startsWith(`${snapshotId} `)) kept.delete(key);
    },
    share<T>(key: string, make: () => Promise<T>): Promise<T> {
      let shared = underWay.get(key) as Promise<T> | undefined;
      if (!shared) {
        shared = make().finally(() => underWay.delete(key));
        underWay.set(key, shared);
      }
      return shared;
    },
  };
}
