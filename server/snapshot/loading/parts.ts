/**
 * What is made of single published files, by their content: made when it is first asked for, shared by all snapshots
 * that have the file, and forgotten when none has it any more. What was not used for longest goes where there is no
 * room. It is in this process alone: DuckDB holds nothing of it.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { PublishedFile } from "../../../pipeline/contract/documents/manifest.ts";
import { readParquet } from "../../../pipeline/contract/sql-text.ts";
import { samePart } from "../../../pipeline/store/layout.ts";
import { constant, type Fragment } from "../../duckdb/sql.ts";
import type { Generation } from "../generation.ts";
import type { Pool } from "../../duckdb/pool.ts";
import { poolFor } from "../../duckdb/query.ts";
import { NO_CLIENT } from "../../duckdb/queue.ts";
import { createSharedWork } from "../shared-work.ts";

export interface PartKind<T extends object = object> {
  readonly name: string;
  /** `rows` are those of the file, with their number in it as `file_row_number`. */
  make(pool: Pool, rows: Fragment): Promise<T>;
  bytesOf(part: T): number;
}

/** A published file where it lies now. */
export interface PlacedFile extends Pick<PublishedFile, "sha256"> {
  readonly path: string;
}

export interface Parts {
  /** Undefined = it is not made, or was forgotten. */
  find<T extends object>(kind: PartKind<T>, file: PlacedFile): T | undefined;
  load<T extends object>(kind: PartKind<T>, file: PlacedFile, pool: Pool): Promise<T>;
  /** Has it made when nothing else is, and the others have had as much time: until then it is done without. */
  want<T extends object>(kind: PartKind<T>, file: PlacedFile): void;
  /** Declares the files of a snapshot; the returned function withdraws them. */
  expect(generation: Generation): () => void;
  /** Makes of the files that replace others what was made of those. */
  succeed(before: Generation, generation: Generation, pool: Pool): Promise<void>;
}

/** Of all parts. */
const MAX_BYTES = 192e6;
/** Parts that wait to be made. */
const MAX_WANTED = 2000;

interface Entry {
  readonly kind: PartKind<never>;
  readonly sha256: string;
  readonly part: object;
}

export const placed = ({ folder }: Pick<Generation, "folder">, file: PublishedFile): PlacedFile => ({
  sha256: file.sha256,
  path: join(folder, file.path),
});

/** @param pool what is made when nothing else is waits for nobody but the loads of snapshots */
export function createParts(pool: Pool, maxBytes = MAX_BYTES): Parts {
  const made = new LRUCache<string, Entry>({ maxSize: maxBytes });
  const share = createSharedWork<object>();
  const wanted = new Set<string>();
  const inTurn = pLimit(1);
  const expected = new Set<ReadonlySet<string>>();
  const keyOf = ({ name }: { readonly name: string }, { sha256 }: Pick<PublishedFile, "sha256">) => `${name} ${sha256}`;

  async function load<T extends object>(kind: PartKind<T>, file: PlacedFile, pool: Pool): Promise<T> {
    const key = keyOf(kind, file);
    const found = made.get(key);
    if (found) return found.part as T;
    return share(key, pool.signal(), async (signal) => {
      const by = poolFor(pool, { signal: () => signal, name: () => NO_CLIENT });
      const part = await kind.make(by, constant(readParquet([file.path], "file_row_number = true")));
      const { sha256 } = file;
      made.set(key, { kind: kind as PartKind<never>, sha256, part }, { size: Math.max(1, kind.bytesOf(part)) });
      return part;
    }) as Promise<T>;
  }

  return {
    find: (kind, file) => made.get(keyOf(kind, file))?.part as never,
    load,
    want(kind, file) {
      const key = keyOf(kind, file);
      if (made.has(key) || wanted.has(key) || wanted.size >= MAX_WANTED) return;
      wanted.add(key);
      // A failure recurs, and is reported by the question that needs the file.
      async function make(): Promise<void> {
        const began = performance.now();
        await load(kind, file, pool).catch(() => undefined);
        await sleep(performance.now() - began, undefined, { ref: false });
      }
      void inTurn(make).finally(() => wanted.delete(key));
    },
    expect({ manifest }) {
      const own = new Set(manifest.files.map(({ sha256 }) => sha256));
      expected.add(own);
      return () => {
        if (!expected.delete(own)) return;
        for (const [key, { sha256 }] of made.entries())
          if (![...expected].some((files) => files.has(sha256))) made.delete(key);
      };
    },
    async succeed(before, generation, pool) {
      const known = new Set(before.manifest.files.map(({ sha256 }) => sha256));
      const kinds = new Map<string, Set<PartKind<never>>>();
      for (const { kind, sha256 } of made.values()) kinds.set(sha256, (kinds.get(sha256) ?? new Set()).add(kind));
      for (const file of generation.manifest.files) {
        if (known.has(file.sha256)) continue;
        const old = before.manifest.files.find((one) => samePart(one, file));
        for (const kind of kinds.get(old?.sha256 ?? "") ?? [])
          await load(kind as PartKind, placed(generation, file), pool);
      }
    },
  };
}
