/**
 * Two caches. Bodies are found by version of the data, encoding and normalized query; whole responses by exact URL, Accept, Accept-Encoding and Prefer,
 * before routing. A cached response holds the headers that the first one had, and the key of its body.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import { MAX_ENTRY_BYTES } from "../response/encoding/body-stream.ts";
import { enclose } from "../response/compat/envelope.ts";
import { type EncodedBody, sizeOf } from "../response/encoding/encoding.ts";
import type { Endpoint } from "../response/endpoint.ts";
import {
  ageOf,
  cacheControl,
  type Fresh,
  findMatchingTag,
  isNotModifiedSince,
  matchesAnyTag,
} from "../response/headers.ts";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import { type Background, createBackground } from "./background.ts";
import { createHeaderBlock, type HeaderBlock } from "./header-block.ts";
import type { RequestContext } from "./request-context.ts";

/** What a body depends on besides its request: the rows of the endpoint's tables. Those for COMPAT=1 have parts of further tables. */
export const bodyVersion = (
  { isOfOneSnapshot, tables }: Endpoint,
  { id, versions }: Snapshot,
  compat: boolean,
): string => (isOfOneSnapshot || compat ? id : tables.map((table) => versions[table]).join("-"));

/** Those of all bodies of a snapshot. */
export const bodyVersions = (endpoints: readonly Endpoint[], snapshot: Snapshot): ReadonlySet<string> =>
  new Set([snapshot.id, ...endpoints.map((endpoint) => bodyVersion(endpoint, snapshot, false))]);

/** The key determines the body, so entries never go stale. */
export interface BodyCache {
  /** Keys begin with the version of the data and a space. */
  find(key: string): EncodedBody | undefined;
  set(key: string, body: EncodedBody): void;
  /** Keeps only bodies of these versions. */
  retain(versions: ReadonlySet<string>): void;
  /** Runs `make` once for concurrent calls with the same key. */
  share<T>(key: string, make: () => Promise<T>): Promise<T>;
}

const MAX_BODY_BYTES = 4 * MAX_ENTRY_BYTES;

export function createBodyCache(maxBytes = MAX_BODY_BYTES): BodyCache {
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

type Headers = Readonly<Record<string, string>>;

export interface CachedResponse {
  readonly route: string;
  readonly snapshotId: string;
  /** The entry is invalid once another generation is served. */
  readonly generation: number;
  /** The time of Last-Modified, in milliseconds. */
  readonly modified: number;
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
  readonly ok: Headers | undefined;
}

export interface ResponseCache {
  put(cacheKey: string, now: Date, response: CachedResponse): void;
  /** Responds if the request is cached and still valid; otherwise returns false and leaves the response untouched. */
  respond(request: IncomingMessage, response: ServerResponse, context: RequestContext): boolean;
  /** The requests that are cached for a snapshot, most frequent first. */
  mostRequested(snapshotId: string, most: number): { url: string; headers: Record<string, string> }[];
}

/** The URL and every header that responses vary on. */
export const cacheKeyOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string =>
  `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${headers.prefer !== undefined && isStrict(String(headers.prefer)) ? STRICT : ""}\n${url}`;

function toRequest(cacheKey: string): { url: string; headers: Record<string, string> } {
  const [encoding = "", accept = "", prefer = "", url = ""] = cacheKey.split("\n");
  return {
    url,
    headers: { ...(encoding && { "accept-encoding": encoding }), ...(accept && { accept }), ...(prefer && { prefer }) },
  };
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

function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

function sendChunks(response: ServerResponse, chunks: readonly Buffer[]): void {
  response.cork();
  for (const chunk of chunks.slice(0, -1)) response.write(chunk);
  response.end(chunks.at(-1));
  response.uncork();
}

/** Several dates are none; node:http gives the first of them. */
const ifModifiedSince = ({ headers, headersDistinct }: IncomingMessage): string | null =>
  headers["if-modified-since"] === undefined ? null : (headersDistinct["if-modified-since"] ?? []).join(", ");

export function createResponseCache({
  store,
  background = createBackground(),
  now = Date.now,
}: {
  store: Store;
  background?: Background;
  now?: () => number;
}): ResponseCache {
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
      const { route, modified, aging, since, cache, key, tags, wraps, notChanged, ok } = entry;
      if (!aging) {
        // One about an earlier snapshot waits for its turn behind the router.
        if (!background.isIdle()) return false;
      } else {
        background.lastCurrent = performance.now();
        if (aging.freshness !== store.freshness()) return false;
        if (at < since || (aging.fresh.until !== undefined && at >= aging.fresh.until)) return false;
      }
      const body = cache.find(key);
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let etag = findMatchingTag(ifNoneMatch, tags);
      if (etag === undefined) {
        if (!body || !ok) return false;
        if (matchesAnyTag(ifNoneMatch) || isNotModifiedSince(ifModifiedSince(request), ifNoneMatch, modified))
          ({ etag } = ok());
      }
      entry.requests++;
      log.route = route;
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
