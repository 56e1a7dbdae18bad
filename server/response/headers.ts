/** Response headers (server/RULES.md, HTTP), conditional requests and freshness. */
import { createHash } from "node:crypto";
import type { Encoding } from "./encoding.ts";
import type { Endpoint, EndpointContext, Period } from "./endpoint.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

/** The Cache-Control of URLs whose response never changes. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The headers of every response while RATE_LIMIT is set, with their documentation. */
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

/**
 * The headers that RFC 9110 §15.4.5 requires on a 304, and those of every response. A 304 omits the rest, because
 * clients poll and a cache keeps the other headers.
 */
const ON_NOT_MODIFIED = [
  "X-Request-Id",
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Vary",
  "Cache-Control",
  "Content-Location",
  "Preference-Applied",
] as const;

/** Selects the headers of a 304 from those of the 200. */
export function notModifiedHeaders(headers: Readonly<Record<string, string>>, etag: string): Record<string, string> {
  const entries = ON_NOT_MODIFIED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return { ...Object.fromEntries(entries), ETag: etag };
}

export const preflightHeaders = (methods: string): Readonly<Record<string, string>> => ({
  Allow: methods,
  "Access-Control-Allow-Methods": methods,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
});

/**
 * Returns a function from encoding to entity tag. Tags are `weak` where bytes differ between equivalent responses (RFC
 * 9110 §8.8.1).
 */
export function entityTags(snapshotId: string, normalized: string, weak: boolean): (encoding: Encoding) => string {
  const query = createHash("sha256").update(normalized).digest("base64url").slice(0, 8);
  return (encoding) => `${weak ? "W/" : ""}"${snapshotId}-${query}-${encoding === "identity" ? "id" : encoding}"`;
}

/**
 * Decides a conditional request (RFC 9110 §13.2.2). Returns the entity tag of the 304, or undefined when the client
 * gets the body. If-Modified-Since counts only without If-None-Match, and if it is a valid date.
 * @param tags the entity tags that clients may have received for the current response
 * @param etag the tag of the whole body; while it is undefined, only `tags` can match
 * @param modified the time of Last-Modified in milliseconds; undefined without that header
 */
export function conditional(
  headers: Pick<Headers, "get">,
  { tags, etag, modified }: { tags: readonly string[]; etag?: string | undefined; modified?: number | undefined },
): string | undefined {
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null)
    return findMatchingTag(ifNoneMatch, tags) ?? (ifNoneMatch.trim() === "*" ? etag : undefined);
  const ifModifiedSince = headers.get("if-modified-since");
  if (ifModifiedSince === null || etag === undefined || modified === undefined) return undefined;
  const since = parseHttpDate(ifModifiedSince);
  // Last-Modified has no milliseconds.
  return since !== undefined && Math.floor(modified / 1000) * 1000 <= since ? etag : undefined;
}

/** Returns the tag that an If-None-Match header names, by weak comparison (RFC 9110 §13.1.2). */
function findMatchingTag(ifNoneMatch: string, tags: readonly string[]): string | undefined {
  // Fast path: clients usually send the single tag that they received.
  if (tags.includes(ifNoneMatch)) return ifNoneMatch;
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  const requestedTags = new Set(ifNoneMatch.split(",").map(bare));
  return tags.find((tag) => requestedTags.has(bare(tag)));
}

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
const SHORT_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.replace(/...(?=.)/g, "$&|")})`;
const TIME = "(?<time>\\d\\d:\\d\\d:\\d\\d)";

const FORMATS = [
  `${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  // These two are obsolete, but recipients must accept them.
  `${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT`,
  `${SHORT_DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((format) => new RegExp(`^${format}$`));

/**
 * Parses an HTTP date in its three formats (RFC 9110 §5.6.7) to milliseconds since 1970; undefined for anything else.
 */
export function parseHttpDate(text: string, now = new Date()): number | undefined {
  const parts = FORMATS.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return undefined;
  const { day = "", month = "", year = "", time = "" } = parts;
  const number = String(MONTHS.indexOf(month) / 3 + 1).padStart(2, "0");
  const date = `${year.length === 2 ? fullYear(Number(year), now) : year}-${number}-${day.replace(" ", "0")}`;
  const parsed = new Date(`${date}T${time}Z`);
  // Date rolls a nonexistent day of a month over into the next month.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? parsed.getTime() : undefined;
}

/** Expands a two-digit year; one more than 50 years in the future is in the past. */
function fullYear(digits: number, now: Date): number {
  const year = Math.floor(now.getUTCFullYear() / 100) * 100 + digits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}

/** The longest max-age, in seconds. */
const MAX_AGE = 3600;
/** The max-age in seconds while the planned refresh is overdue. */
const AGE_WHEN_LATE = 60;

/** `Cache-Status` (RFC 9211): where a schedule came from. Caches along the way append their own values. */
export const CACHE_STATUS = {
  /** The term is published. */
  hit: "academic-data; hit",
  /** The term is not published; the upstream is queried if the client allows it. */
  miss: "academic-data; fwd=uri-miss",
  /** The client asked for the upstream's data. */
  bypass: "academic-data; fwd=bypass",
} as const;

/** How an earlier snapshot was asked for; undefined = the current one is meant. */
export type AsOf = "id" | "time" | undefined;

/** Input for Last-Modified, max-age and Cache-Status; times in milliseconds. */
export interface Fresh {
  readonly modified: number;
  readonly nextRefresh: number | undefined;
  /** When the response may change without a new snapshot. */
  readonly until: number | undefined;
  /** True for a response of a snapshot that was asked for by its id: it never changes. */
  readonly isFixed: boolean;
  /** True for endpoints that query the upstream for data that is not published. */
  readonly hasStatus: boolean;
}

export function toFresh(
  endpoint: Endpoint,
  values: object,
  context: Pick<EndpointContext, "now" | "freshness" | "snapshot">,
  period: Period | undefined,
  asOf: AsOf,
): Fresh {
  const { now, freshness, snapshot } = context;
  const crawled = endpoint.live?.crawledAt(values, freshness);
  const times =
    crawled === undefined ? endpoint.products.flatMap((product) => freshness.products[product] ?? []) : [crawled];
  const { createdAt, forgottenAt } = snapshot.published.manifest;
  // A run records its times after it has published; one that was killed in between has recorded none.
  const isBehind = !Object.values(freshness.products).some((time) => time >= createdAt);
  if (times.length === 0 || isBehind) times.push(createdAt);
  // After a take-down, clients must not keep an older response.
  if (forgottenAt !== undefined) times.push(forgottenAt);
  const since = period?.since?.getTime() ?? -Infinity;
  // Last-Modified is never in the future, even if the pipeline's clock was (RFC 9110 §8.8.2.1).
  const modified = Math.min(Math.max(since, ...times.map((time) => Date.parse(time))), now.getTime());
  return {
    modified,
    nextRefresh: freshness.nextRefresh === null ? undefined : Date.parse(freshness.nextRefresh),
    // A period of the present does not end the past.
    until: asOf === undefined ? period?.until?.getTime() : undefined,
    isFixed: asOf === "id",
    hasStatus: endpoint.live !== undefined,
  };
}

/** Sets max-age to the seconds until the next planned refresh or `until`, at most an hour, unless nothing changes. */
export function cacheControl({ isFixed, nextRefresh, until }: Fresh, now: number): string {
  if (isFixed) return IMMUTABLE;
  const seconds = (time: number) => Math.floor((time - now) / 1000);
  const planned = nextRefresh === undefined ? AGE_WHEN_LATE : seconds(nextRefresh);
  const refresh = planned > 0 ? planned : AGE_WHEN_LATE;
  const longest = until === undefined ? MAX_AGE : Math.max(0, seconds(until));
  return `public, max-age=${Math.min(refresh, longest, MAX_AGE)}`;
}

/**
 * Returns Last-Modified, Cache-Control and, for the schedule, Cache-Status. There is no Age: a cache subtracts it from
 * max-age.
 */
export function freshHeaders(fresh: Fresh, now: Date): Record<string, string> {
  const lastModified = new Date(fresh.modified).toUTCString();
  const headers = { "Last-Modified": lastModified, "Cache-Control": cacheControl(fresh, now.getTime()) };
  return fresh.hasStatus ? Object.assign(headers, { "Cache-Status": CACHE_STATUS.hit }) : headers;
}
