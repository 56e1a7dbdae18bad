/**
 * A cache of data derived from published files, keyed by content hash. Entries are built on first use, shared by all
 * snapshots that have the file and dropped with the last of them, or as the least recently used. DuckDB holds nothing of
 * it.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { samePart, type PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { constant, type Fragment } from "../../duckdb/sql.ts";
import type { PublishedSnapshot } from "../generation.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { poolFor } from "../../duckdb/query.ts";
import { NO_CLIENT } from "../../duckdb/queue.ts";
import { createSharedWork } from "../shared-work.ts";

export interface PartKind<T extends object = object> {
  readonly name: string;
  /** Builds the entry. `rows` are those of the file, with their number in it as `file_row_number`. */
  make(pool: Pool, rows: Fragment): Promise<T>;
  bytesOf(part: T): number;
}

export interface PlacedFile extends Pick<PublishedFile, "sha256"> {
  readonly path: string;
}

export type Parts = ReturnType<typeof createParts>;

const MAX_BYTES = 192e6;
/** The most files that wait in the background. */
const MAX_WANTED = 2000;

interface Entry {
  readonly kind: PartKind<never>;
  readonly sha256: string;
  readonly part: object;
}

export const placed = ({ folder }: Pick<PublishedSnapshot, "folder">, file: PublishedFile): PlacedFile => ({
  sha256: file.sha256,
  path: join(folder, file.path),
});

/** @param pool runs the background work; shared only with the loads of snapshots */
export function createParts(pool: Pool, maxBytes = MAX_BYTES) {
  const cache = new LRUCache<string, Entry>({ maxSize: maxBytes });
  const share = createSharedWork<object>();
  const wanted = new Set<string>();
  const enqueue = pLimit(1);
  const expected = new Set<ReadonlySet<string>>();
  const keyOf = ({ name }: { readonly name: string }, { sha256 }: Pick<PublishedFile, "sha256">) => `${name} ${sha256}`;

  async function load<T extends object>(kind: PartKind<T>, file: PlacedFile, pool: Pool): Promise<T> {
    const key = keyOf(kind, file);
    const cached = cache.get(key);
    if (cached) return cached.part as T;
    return share(key, pool.signal(), async (signal) => {
      const bound = poolFor(pool, { signal: () => signal, name: () => NO_CLIENT });
      const part = await kind.make(bound, constant(readParquet([file.path], "file_row_number = true")));
      const { sha256 } = file;
      cache.set(key, { kind: kind as PartKind<never>, sha256, part }, { size: Math.max(1, kind.bytesOf(part)) });
      return part;
    }) as Promise<T>;
  }

  return {
    /** Returns undefined unless it is in the cache. */
    find: <T extends object>(kind: PartKind<T>, file: PlacedFile) =>
      cache.get(keyOf(kind, file))?.part as T | undefined,
    load,
    /** Builds it in the background, one at a time with rests in between; until then requests do without. */
    want<T extends object>(kind: PartKind<T>, file: PlacedFile): void {
      const key = keyOf(kind, file);
      if (cache.has(key) || wanted.has(key) || wanted.size >= MAX_WANTED) return;
      wanted.add(key);
      // A failure recurs, and the request that needs the file reports it.
      async function make(): Promise<void> {
        const began = performance.now();
        await load(kind, file, pool).catch(() => undefined);
        await sleep(performance.now() - began, undefined, { ref: false });
      }
      void enqueue(make).finally(() => wanted.delete(key));
    },
    /** Declares the files of a snapshot; the returned function withdraws them. */
    expect({ manifest }: PublishedSnapshot): () => void {
      const hashes = new Set(manifest.files.map(({ sha256 }) => sha256));
      expected.add(hashes);
      return () => {
        if (!expected.delete(hashes)) return;
        for (const [key, { sha256 }] of cache.entries())
          if (![...expected].some((files) => files.has(sha256))) cache.delete(key);
      };
    },
    /** Builds for new files what the cache has for the files that they replace. */
    async carryOver(previous: PublishedSnapshot, published: PublishedSnapshot, pool: Pool): Promise<void> {
      const previousHashes = new Set(previous.manifest.files.map(({ sha256 }) => sha256));
      const kinds = new Map<string, Set<PartKind<never>>>();
      for (const { kind, sha256 } of cache.values()) kinds.set(sha256, (kinds.get(sha256) ?? new Set()).add(kind));
      for (const file of published.manifest.files) {
        if (previousHashes.has(file.sha256)) continue;
        const old = previous.manifest.files.find((candidate) => samePart(candidate, file));
        for (const kind of kinds.get(old?.sha256 ?? "") ?? [])
          await load(kind as PartKind, placed(published, file), pool);
      }
    },
  };
}
