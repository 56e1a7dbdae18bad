/** Response headers (server/RULES.md, HTTP) and the comparison of entity tags. */
import { createHash } from "node:crypto";
import type { Encoding } from "./encoding/encoding.ts";
import type { Endpoint, EndpointContext, Period } from "./endpoint.ts";
import { parseHttpDate } from "./http-date.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** For URLs whose response never changes. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The headers of every response while RATE_LIMIT is set, for the documentation. */
export const RATE_LIMIT_HEADERS = {
  "RateLimit-Limit": "requests that a client may send at once, where the operator limits them; they come back steadily",
  "RateLimit-Remaining": "requests that are left now",
  "RateLimit-Reset": "seconds until all of them are back",
  "RateLimit-Policy": "the same limit as a structured field: `q` requests in a window of `w` seconds",
  RateLimit: "what is left of it: `r` requests now, all of them in `t` seconds",
} as const;

export const TOO_MANY_REQUESTS = "Too many requests. Please wait as long as Retry-After says.";

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";
export const POST_METHODS = "POST, OPTIONS";

/** The headers of every response, errors included. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    "X-Request-Id": requestId,
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "*",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding",
  };
}

/** What RFC 9110 §15.4.5 requires of a 304, and what every response has: clients poll, and a cache keeps the other headers. */
const ON_NOT_MODIFIED = [
  "X-Request-Id",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Vary",
  "Cache-Control",
  "Content-Location",
  "Preference-Applied",
] as const;

/** The headers of a 304 from those of the 200. */
export function notModifiedHeaders(headers: Readonly<Record<string, string>>, etag: string): Record<string, string> {
  const kept = ON_NOT_MODIFIED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return { ...Object.fromEntries(kept), ETag: etag };
}

/** CORS preflight headers. */
export const preflightHeaders = (methods: string): Readonly<Record<string, string>> => ({
  Allow: methods,
  "Access-Control-Allow-Methods": methods,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
});

/** Entity tags by encoding. `weak` where bytes differ between equivalent responses (RFC 9110 §8.8.1). */
export function entityTags(snapshotId: string, normalized: string, weak: boolean): (encoding: Encoding) => string {
  const query = createHash("sha256").update(normalized).digest("base64url").slice(0, 8);
  return (encoding) => `${weak ? "W/" : ""}"${snapshotId}-${query}-${encoding === "identity" ? "id" : encoding}"`;
}

/** The tag that an If-None-Match header names, by weak comparison (RFC 9110 §13.1.2). */
export function findMatchingTag(ifNoneMatch: string | null, tags: readonly string[]): string | undefined {
  if (!ifNoneMatch) return undefined;
  // Fast path: clients usually send the one tag that they received.
  if (tags.includes(ifNoneMatch)) return ifNoneMatch;
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  const known = new Set(ifNoneMatch.split(",").map(bare));
  return tags.find((tag) => known.has(bare(tag)));
}

export const matchesAnyTag = (ifNoneMatch: string | null): boolean => ifNoneMatch?.trim() === "*";

/**
 * Whether If-Modified-Since makes the response a 304: only without If-None-Match, and if it is a date (RFC 9110 §13.1.3).
 * @param modified the time of Last-Modified, in milliseconds
 */
export function isNotModifiedSince(
  ifModifiedSince: string | null,
  ifNoneMatch: string | null,
  modified: number,
): boolean {
  if (ifModifiedSince === null || ifNoneMatch !== null) return false;
  const since = parseHttpDate(ifModifiedSince);
  // Last-Modified has no milliseconds.
  return since !== undefined && Math.floor(modified / 1000) * 1000 <= since;
}

/** Longest max-age, in seconds. */
const MAX_AGE = 3600;
/** max-age while the planned refresh is overdue, in seconds. */
const AGE_WHEN_LATE = 60;

/** `Cache-Status` (RFC 9211): where a schedule came from. Caches on the way append theirs. */
export const CACHE_STATUS = {
  /** The published term. */
  hit: "academic-data; hit",
  /** The term is not published: from the upstream, if it may be asked. */
  miss: "academic-data; fwd=uri-miss",
  /** From the upstream, as requested. */
  bypass: "academic-data; fwd=bypass",
} as const;

/** Input for Last-Modified, max-age and Cache-Status; times in milliseconds. */
export interface Fresh {
  readonly modified: number;
  readonly lastModified: string;
  readonly nextRefresh: number | undefined;
  /** When the response may change without a new snapshot. */
  readonly until: number | undefined;
  /** True for what is asked of the upstream where it is not published. */
  readonly hasStatus: boolean;
}

export function toFresh(
  endpoint: Endpoint,
  values: object,
  context: EndpointContext,
  period: Period | undefined,
): Fresh {
  const { now, freshness, snapshot } = context;
  const crawled = endpoint.live?.crawledAt(values, freshness);
  const times = crawled === undefined ? endpoint.products.flatMap((one) => freshness.products[one] ?? []) : [crawled];
  const { createdAt, forgottenAt } = snapshot.generation.manifest;
  // A run writes its times after it has published; one that was killed in between has written none.
  const isBehind = !Object.values(freshness.products).some((time) => time >= createdAt);
  if (times.length === 0 || isBehind) times.push(createdAt);
  // A client that has a response from before a take-down must not keep it.
  if (forgottenAt !== undefined) times.push(forgottenAt);
  const since = period?.since?.getTime() ?? -Infinity;
  // Not in the future, even if the pipeline's clock was (RFC 9110 §8.8.2.1).
  const modified = Math.min(Math.max(since, ...times.map((time) => Date.parse(time))), now.getTime());
  return {
    modified,
    lastModified: new Date(modified).toUTCString(),
    nextRefresh: freshness.nextRefresh === null ? undefined : Date.parse(freshness.nextRefresh),
    until: period?.until?.getTime(),
    hasStatus: endpoint.live !== undefined,
  };
}

/** Seconds to the next planned refresh (or to `until`), at most an hour. */
export function cacheControl({ nextRefresh, until }: Fresh, now: number): string {
  const seconds = (at: number) => Math.floor((at - now) / 1000);
  const planned = nextRefresh === undefined ? AGE_WHEN_LATE : seconds(nextRefresh);
  const refresh = planned > 0 ? planned : AGE_WHEN_LATE;
  const longest = until === undefined ? MAX_AGE : Math.max(0, seconds(until));
  return `public, max-age=${Math.min(refresh, longest, MAX_AGE)}`;
}

/** Last-Modified, Cache-Control and, for the schedule, Cache-Status. There is no Age: a cache subtracts it from max-age. */
export function freshHeaders(fresh: Fresh, now: Date): Record<string, string> {
  return {
    "Last-Modified": fresh.lastModified,
    "Cache-Control": cacheControl(fresh, now.getTime()),
    ...(fresh.hasStatus ? { "Cache-Status": CACHE_STATUS.hit } : {}),
  };
}
