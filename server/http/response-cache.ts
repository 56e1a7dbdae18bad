/**
 * Caches finished responses by exact URL, Accept, Accept-Encoding and Prefer: their headers, and where their bodies
 * are.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { findMatchingTag, isNotModifiedSince, matchesAnyTag } from "../response/headers.ts";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { Middleware } from "./chain/middleware.ts";
import type { CachedResponse } from "./kept.ts";
import type { RequestContext } from "./request-context.ts";

export interface ResponseCache {
  /** Replays a cached response that is still valid; otherwise returns false and lets the application cache its own. */
  respond(request: IncomingMessage, response: ServerResponse, context: RequestContext): boolean;
  /** Returns the requests that are cached for a snapshot, most frequent first. */
  mostRequested(snapshotId: string, most: number): { url: string; headers: Record<string, string> }[];
}

/** The key: the URL and every header that responses vary on. */
const cacheKeyOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string =>
  `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${headers.prefer !== undefined && isStrict(String(headers.prefer)) ? STRICT : ""}\n${url}`;

function toRequest(cacheKey: string): { url: string; headers: Record<string, string> } {
  const [encoding = "", accept = "", prefer = "", url = ""] = cacheKey.split("\n");
  return {
    url,
    headers: { ...(encoding && { "accept-encoding": encoding }), ...(accept && { accept }), ...(prefer && { prefer }) },
  };
}

const MAX_BYTES = 24 * 1024 * 1024;
/** The approximate size of an entry without its key. */
const ENTRY_BYTES = 4000;

/** Drops the headers that keep HTTP/1.1 connections open, which is the default; they are a sixth of a 304. */
export function omitConnection(response: ServerResponse): void {
  if (response.shouldKeepAlive && response.req.httpVersion === "1.1") response.removeHeader("Connection");
}

/** Returns If-Modified-Since, joined when repeated, which makes it invalid; node:http returns only the first. */
const ifModifiedSince = ({ headers, headersDistinct }: IncomingMessage): string | null =>
  headers["if-modified-since"] === undefined ? null : (headersDistinct["if-modified-since"] ?? []).join(", ");

export const replayCached =
  (cache: Pick<ResponseCache, "respond">): Middleware =>
  (exchange, next) => {
    const { request, response, context } = exchange;
    if (!cache.respond(request, response, context)) next(exchange);
  };

export function createResponseCache(now: () => number = Date.now): ResponseCache {
  const entries = new LRUCache<string, { readonly cached: CachedResponse; requests: number }>({
    maxSize: MAX_BYTES,
    // The Link header repeats the URL twice.
    sizeCalculation: (_, cacheKey) => 6 * cacheKey.length + ENTRY_BYTES,
  });

  function add(cacheKey: string, cached: CachedResponse): void {
    const previous = entries.peek(cacheKey);
    const requests = previous?.cached.snapshotId === cached.snapshotId ? previous.requests : 0;
    entries.set(cacheKey, { cached, requests: 1 + requests });
  }

  return {
    respond(request, response, context) {
      const cacheKey = cacheKeyOf(request);
      context.cache = (finished) => finished && add(cacheKey, finished);
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(cacheKey);
      const time = now();
      if (!entry || !entry.cached.isValid(time)) return false;
      const { log } = context;
      const { route, modified, tags, notModified, ok, headersAt } = entry.cached;
      const body = entry.cached.body();
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let etag = findMatchingTag(ifNoneMatch, tags);
      if (etag === undefined) {
        // The application cuts out ranges.
        if (!body || !ok || (request.headers.range !== undefined && ok["accept-ranges"])) return false;
        if (matchesAnyTag(ifNoneMatch) || isNotModifiedSince(ifModifiedSince(request), ifNoneMatch, modified))
          etag = ok["etag"];
      }
      entry.requests++;
      log.route = route;
      // Setting these over existing names keeps the order of headers.
      const varying = { "x-request-id": log.requestId, ...headersAt(time) };
      if (etag !== undefined) {
        log.cache = "unchanged";
        omitConnection(response);
        response.writeHead(304, "", { ...notModified, ...varying, etag }).end();
        return true;
      }
      log.cache = "hit";
      log.rows = body?.rows;
      response.writeHead(200, "", { ...ok, ...varying });
      response.end(request.method === "HEAD" ? undefined : body?.bytes);
      return true;
    },
    mostRequested(snapshotId, most) {
      return [...entries.entries()]
        .filter(([, { cached }]) => cached.snapshotId === snapshotId)
        .sort(([, a], [, b]) => b.requests - a.requests)
        .slice(0, most)
        .map(([cacheKey]) => toRequest(cacheKey));
    },
  };
}
