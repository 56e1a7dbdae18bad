/** RATE_LIMIT: a token bucket per client address. */
import { LRUCache } from "lru-cache";
import type { RateLimit } from "../../pipeline/settings/server.ts";
import { TOO_MANY_REQUESTS } from "../response/headers.ts";
import { Problem } from "../response/problem.ts";
import { clientOf } from "../response/installation.ts";
import type { Middleware, Reject } from "./middleware.ts";

/** The number of buckets, a few hundred bytes each. An evicted client starts with a full bucket. */
const MAX_CLIENTS = 50_000;

export function createRateLimiter({ requests, perMs }: RateLimit, clock: () => number = () => performance.now()) {
  const buckets = new LRUCache<string, { tokens: number; updatedAt: number }>({ max: MAX_CLIENTS });
  const seconds = (tokens: number) => String(Math.ceil((tokens * perMs) / requests / 1000));
  return (client: string): { isAllowed: boolean; headers: Record<string, string> } => {
    const now = clock();
    const bucket = buckets.get(client) ?? { tokens: requests, updatedAt: now };
    const tokens = Math.min(requests, bucket.tokens + ((now - bucket.updatedAt) * requests) / perMs);
    const isAllowed = tokens >= 1;
    const left = isAllowed ? tokens - 1 : tokens;
    buckets.set(client, { tokens: left, updatedAt: now });
    const headers = {
      "RateLimit-Limit": String(requests),
      "RateLimit-Remaining": String(Math.floor(left)),
      "RateLimit-Reset": seconds(requests - left),
      // Structured fields of draft-ietf-httpapi-ratelimit-headers: quota and window in seconds; tokens left and
      // seconds until the bucket is full.
      "RateLimit-Policy": `"default";q=${requests};w=${perMs / 1000}`,
      RateLimit: `"default";r=${Math.floor(left)};t=${seconds(requests - left)}`,
    };
    return { isAllowed, headers: isAllowed ? headers : { ...headers, "Retry-After": seconds(1 - left) } };
  };
}

/** Paths of monitoring, which are never limited. */
const EXEMPT_PATHS = new Set(["/health", "/health/live", "/health/ready", "/ready", "/metrics"]);

/** Sets the RateLimit headers; rejects a request (429) when the bucket of its client is empty. */
export function withinLimit(limit: RateLimit, trustProxy: boolean, onRejected: () => void, reject: Reject): Middleware {
  const take = createRateLimiter(limit);
  return (exchange, next) => {
    const { request, response } = exchange;
    if (request.method === "OPTIONS" || EXEMPT_PATHS.has(request.url ?? "")) return next(exchange);
    const { isAllowed, headers } = take(clientOf(request, trustProxy));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isAllowed) return next(exchange);
    onRejected();
    reject(exchange, new Problem(429, TOO_MANY_REQUESTS), { keepsConnection: true });
  };
}
