/**
 * Caches responses by exact URL, Accept, Accept-Encoding and Prefer, before routing. An entry holds the headers that the first response had, and the key
 * of its body in the body cache.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../../pipeline/contract/manifest.ts";
import type { BodyCache } from "../response/body-cache.ts";
import { enclose } from "../response/compat/envelope.ts";
import { createHeaderBlock, type HeaderBlock } from "./header-block.ts";
import { ageOf, cacheControl, type Fresh, findMatchingTag, matchesAnyTag } from "../response/headers.ts";
import { type RequestContext, toRequest } from "./request-context.ts";
import { sizeOf } from "../response/body-stream.ts";
import type { Store } from "../snapshot/store.ts";

export interface CachedResponse {
  readonly snapshotId: string;
  /** The entry is invalid once another generation is served. */
  readonly generation: number;
  /** Undefined = the response never changes; otherwise the entry is also invalid once the store has another freshness. */
  readonly aging: { readonly freshness: Freshness; readonly fresh: Fresh } | undefined;
  /** Where its body is, under this key. */
  readonly cache: BodyCache;
  readonly key: string;
  /** Whether the cached body is a payload that each response wraps in its own envelope. */
  readonly wraps: boolean;
  /** The entity tags that clients may have received. */
  readonly tags: readonly string[];
  /** The headers of a 304, without its ETag. */
  readonly notChanged: Headers;
  /** The headers of a 200; undefined while only 304s were sent. */
  readonly ok?: Headers;
}

type Headers = Readonly<Record<string, string>>;

export interface ResponseCache {
  put(cacheKey: string, now: Date, response: CachedResponse): void;
  /** Responds if the request is cached and still valid; otherwise returns false and leaves the response untouched. */
  respond(request: IncomingMessage, response: ServerResponse, context: RequestContext): boolean;
  /** The requests that are cached for a snapshot, most frequent first. */
  mostRequested(snapshotId: string, most: number): { url: string; headers: Record<string, string> }[];
}

const MAX_BYTES = 24 * 1024 * 1024;
/** Approximate size of an entry without its key. */
const ENTRY_BYTES = 4000;

interface Entry extends Omit<CachedResponse, "notChanged" | "ok"> {
  readonly since: number;
  /** Lazy: most entries use only one of the two. */
  readonly notChanged: () => HeaderBlock;
  readonly ok: (() => HeaderBlock) | undefined;
  requests: number;
}

function sendChunks(response: ServerResponse, chunks: readonly Buffer[]): void {
  response.cork();
  for (const chunk of chunks.slice(0, -1)) response.write(chunk);
  response.end(chunks.at(-1));
  response.uncork();
}

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

export function createResponseCache({ store, now = Date.now }: { store: Store; now?: () => number }): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    // The URL is in Link too, twice in each block of headers.
    sizeCalculation: ({ key }, cacheKey) => 6 * cacheKey.length + 2 * key.length + ENTRY_BYTES,
  });

  return {
    put(cacheKey, at, { notChanged, ok, ...response }) {
      const before = entries.peek(cacheKey);
      entries.set(cacheKey, {
        ...response,
        requests: 1 + (before?.snapshotId === response.snapshotId ? before.requests : 0),
        since: at.getTime(),
        notChanged: lazy(() => createHeaderBlock(304, notChanged)),
        ok: ok && lazy(() => createHeaderBlock(200, ok)),
      });
    },
    respond(request, response, { log, cacheKey = "" }) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(cacheKey);
      if (!entry || entry.generation !== store.current()?.generation.manifest.generation) return false;
      const at = now();
      const { aging, since, cache, key, tags, wraps, notChanged, ok } = entry;
      if (aging) {
        if (aging.freshness !== store.freshness()) return false;
        if (at < since || (aging.fresh.until !== undefined && at >= aging.fresh.until)) return false;
      }
      const body = cache.find(key);
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let etag = findMatchingTag(ifNoneMatch, tags);
      if (etag === undefined) {
        if (!body || !ok) return false;
        if (matchesAnyTag(ifNoneMatch)) ({ etag } = ok());
      }
      entry.requests++;
      const { requestId } = log;
      const age = aging && ageOf(aging.fresh, at);
      const maxAge = aging && cacheControl(aging.fresh, at);
      if (etag !== undefined) {
        log.cache = "unchanged";
        notChanged().write(response, { age, cacheControl: maxAge, etag, requestId });
        response.end();
      } else if (body && ok) {
        log.cache = "hit";
        log.rows = body.rows;
        const chunks = wraps ? enclose(body, { requestId, now: new Date(at) }) : [body.bytes];
        const contentLength = String(sizeOf(chunks));
        ok().write(response, { age, cacheControl: maxAge, contentLength, requestId });
        if (request.method === "HEAD") response.end();
        else sendChunks(response, chunks);
      }
      return true;
    },
    mostRequested(snapshotId, most) {
      return [...entries.entries()]
        .filter(([, entry]) => entry.snapshotId === snapshotId)
        .sort(([, a], [, b]) => b.requests - a.requests)
        .slice(0, most)
        .map(([cacheKey]) => toRequest(cacheKey));
    },
  };
}
