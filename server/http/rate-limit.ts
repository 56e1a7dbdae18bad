/** RATE_LIMIT: a token bucket per client address. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { RateLimit } from "../../pipeline/settings/server.ts";
import { TOO_MANY_REQUESTS } from "../response/headers.ts";
import { Problem } from "../response/problem.ts";
import { clientOf } from "../response/installation.ts";
import type { Middleware, Reject } from "./middleware.ts";

/** Sets the RateLimit headers; returns a Problem (429) when the bucket is empty. */
export type RateLimitCheck = (request: IncomingMessage, response: ServerResponse) => Problem | undefined;

interface Allowance {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface RateLimiter {
  take(client: string): Allowance;
}

/** The number of buckets, a few hundred bytes each. An evicted client starts with a full bucket. */
const MAX_CLIENTS = 50_000;

export function createRateLimiter(
  { requests, perMs }: RateLimit,
  clock: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new LRUCache<string, { tokens: number; updatedAt: number }>({ max: MAX_CLIENTS });
  const seconds = (tokens: number) => String(Math.ceil((tokens * perMs) / requests / 1000));
  return {
    take(client) {
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
    },
  };
}

export const withinLimit =
  (check: RateLimitCheck, reject: Reject): Middleware =>
  (exchange, next) => {
    const problem = check(exchange.request, exchange.response);
    if (problem) reject(exchange, problem, { keepsConnection: true });
    else next(exchange);
  };

/** Paths of monitoring, which are never limited. */
const EXEMPT_PATHS = new Set(["/health", "/health/live", "/health/ready", "/ready", "/metrics"]);

export function createRateLimitCheck(
  limiter: RateLimiter,
  trustProxy: boolean,
  onRejected: () => void,
): RateLimitCheck {
  return (request, response) => {
    if (request.method === "OPTIONS" || EXEMPT_PATHS.has(request.url ?? "")) return undefined;
    const { isAllowed, headers } = limiter.take(clientOf(request, trustProxy));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isAllowed) return undefined;
    onRejected();
    return new Problem(429, TOO_MANY_REQUESTS);
  };
}
