/** Caches responses by exact URL, Accept, Accept-Encoding and Prefer, before routing: the headers that the first one had, and the key of its body. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import {
  ageOf,
  cacheControl,
  type Fresh,
  findMatchingTag,
  isNotModifiedSince,
  matchesAnyTag,
  notModifiedHeaders,
} from "../response/headers.ts";
import { isStrict, STRICT } from "../response/prefer.ts";
import type { Store } from "../snapshot/store.ts";
import type { BodyCache } from "./body-cache.ts";
import type { Plan } from "./plan.ts";
import type { RequestContext } from "./request-context.ts";

type Headers = Readonly<Record<string, string>>;

export interface ResponseCache {
  /** `ok` are the headers of a 200 whose body is in `cache`; undefined for a 304, and for an envelope of COMPAT=1, which differs each time. */
  put(plan: Plan, ok: Headers | undefined, cache: BodyCache): void;
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

interface Entry {
  readonly route: string;
  readonly snapshotId: string;
  /** The entry is invalid once another generation is served. */
  readonly generation: number;
  /** Undefined = the response never changes; otherwise the entry is also invalid once the store has another one. */
  readonly freshness: Freshness | undefined;
  readonly fresh: Fresh;
  readonly since: number;
  /** Where its body is, under this key. */
  readonly cache: BodyCache;
  readonly key: string;
  readonly tags: readonly string[];
  readonly notModified: Headers;
  /** Undefined while only 304s were sent. */
  readonly ok: Headers | undefined;
  requests: number;
}

/** As they come through the router. */
const sorted = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** HTTP/1.1 connections stay open without the headers that say so, which are a sixth of a 304. */
export function omitConnection(response: ServerResponse): void {
  if (response.shouldKeepAlive && response.req.httpVersion === "1.1") response.removeHeader("Connection");
}

/** Several dates are none; node:http gives the first of them. */
const ifModifiedSince = ({ headers, headersDistinct }: IncomingMessage): string | null =>
  headers["if-modified-since"] === undefined ? null : (headersDistinct["if-modified-since"] ?? []).join(", ");

export function createResponseCache({ store, now = Date.now }: { store: Store; now?: () => number }): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    // The URL is in Link too, twice.
    sizeCalculation: ({ key }, cacheKey) => 4 * cacheKey.length + 2 * key.length + ENTRY_BYTES,
  });

  const isValid = ({ generation, freshness, fresh, since }: Entry, at: number): boolean =>
    generation === store.current()?.generation.manifest.generation &&
    (freshness === undefined ||
      (freshness === store.freshness() && at >= since && (fresh.until === undefined || at < fresh.until)));

  return {
    put({ request, snapshot, context, headers, cacheable }, ok, cache) {
      const { context: own, asOf, now } = request;
      if (own.cacheKey === undefined || !cacheable || asOf?.isId === false) return;
      const before = entries.peek(own.cacheKey);
      entries.set(own.cacheKey, {
        route: own.log.route,
        snapshotId: snapshot.id,
        generation: asOf?.servedGeneration ?? snapshot.generation.manifest.generation,
        freshness: asOf ? undefined : context.freshness,
        fresh: cacheable.fresh,
        since: now.getTime(),
        cache,
        key: cacheable.key,
        tags: cacheable.tags,
        notModified: sorted(notModifiedHeaders(headers, "")),
        ok: ok && sorted(ok),
        requests: 1 + (before?.snapshotId === snapshot.id ? before.requests : 0),
      });
    },
    respond(request, response, { log, cacheKey = "" }) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const entry = entries.get(cacheKey);
      const at = now();
      if (!entry || !isValid(entry, at)) return false;
      const { route, fresh, freshness, cache, key, tags, notModified, ok } = entry;
      const body = cache.find(key);
      const ifNoneMatch = request.headers["if-none-match"] ?? null;
      let etag = findMatchingTag(ifNoneMatch, tags);
      if (etag === undefined) {
        if (!body || !ok) return false;
        if (matchesAnyTag(ifNoneMatch) || isNotModifiedSince(ifModifiedSince(request), ifNoneMatch, fresh.modified))
          etag = ok["etag"];
      }
      entry.requests++;
      log.route = route;
      // They keep their places among the others.
      const varying: Record<string, string> = { "x-request-id": log.requestId };
      if (freshness) varying["cache-control"] = cacheControl(fresh, at);
      if (etag !== undefined) {
        log.cache = "unchanged";
        omitConnection(response);
        response.writeHead(304, "", { ...notModified, ...varying, etag }).end();
        return true;
      }
      if (freshness && fresh.hasAge) varying["age"] = ageOf(fresh, at);
      log.cache = "hit";
      log.rows = body?.rows;
      response.writeHead(200, "", { ...ok, ...varying });
      response.end(request.method === "HEAD" ? undefined : body?.bytes);
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
