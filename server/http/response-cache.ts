/** Finished responses by exact URL, Accept, Accept-Encoding and Prefer: their headers, and where their bodies are. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { findMatchingTag, isNotModifiedSince, matchesAnyTag } from "../response/headers.ts";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { Middleware } from "./chain/middleware.ts";
import type { Kept } from "./kept.ts";
import type { RequestContext } from "./request-context.ts";

export interface ResponseCache {
  /** Responds if the request is cached and still valid; otherwise returns false, and keeps what the application says may be kept. */
  respond(request: IncomingMessage, response: ServerResponse, context: RequestContext): boolean;
  /** The requests that are cached for a snapshot, most frequent first. */
  mostRequested(snapshotId: string, most: number): { url: string; headers: Record<string, string> }[];
}

/** The URL and every header that responses vary on. */
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
/** Approximate size of an entry without its key. */
const ENTRY_BYTES = 4000;

/** HTTP/1.1 connections stay open without the headers that say so, which are a sixth of a 304. */
export function omitConnection(response: ServerResponse): void {
  if (response.shouldKeepAlive && response.req.httpVersion === "1.1") response.removeHeader("Connection");
}

/** Several dates are none; node:http gives the first of them. */
const ifModifiedSince = ({ headers, headersDistinct }: IncomingMessage): string | null =>
  headers["if-modified-since"] === undefined ? null : (headersDistinct["if-modified-since"] ?? []).join(", ");

export const givenAgain =
  (cache: Pick<ResponseCache, "respond">): Middleware =>
  (exchange, next) => {
    const { request, response, context } = exchange;
    if (!cache.respond(request, response, context)) next(exchange);
  };

export function createResponseCache(now: () => number = Date.now): ResponseCache {
  const entries = new LRUCache<string, { readonly kept: Kept; requests: number }>({
    maxSize: MAX_BYTES,
    // The URL is in Link too, twice.
    sizeCalculation: (_, cacheKey) => 6 * cacheKey.length + ENTRY_BYTES,
  });

  function keep(cacheKey: string, kept: Kept): void {
    const before = entries.peek(cacheKey);
    const requests = before?.kept.snapshotId === kept.snapshotId ? before.requests : 0;
    entries.set(cacheKey, { kept, requests: 1 + requests });
  }

  return {
    respond(request, response, context) {
      const cacheKey = cacheKeyOf(request);
      context.keep = (kept) => kept && keep(cacheKey, kept);
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(cacheKey);
      const at = now();
      if (!entry || !entry.kept.isValid(at)) return false;
      const { log } = context;
      const { route, modified, tags, notModified, ok, headersAt } = entry.kept;
      const body = entry.kept.body();
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let etag = findMatchingTag(ifNoneMatch, tags);
      if (etag === undefined) {
        // A part of it is the application's to cut out.
        if (!body || !ok || (request.headers.range !== undefined && ok["accept-ranges"])) return false;
        if (matchesAnyTag(ifNoneMatch) || isNotModifiedSince(ifModifiedSince(request), ifNoneMatch, modified))
          etag = ok["etag"];
      }
      entry.requests++;
      log.route = route;
      // They keep their places among the others.
      const varying = { "x-request-id": log.requestId, ...headersAt(at) };
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
        .filter(([, { kept }]) => kept.snapshotId === snapshotId)
        .sort(([, a], [, b]) => b.requests - a.requests)
        .slice(0, most)
        .map(([cacheKey]) => toRequest(cacheKey));
    },
  };
}
