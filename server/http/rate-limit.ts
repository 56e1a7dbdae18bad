/** RATE_LIMIT: each client address has a bucket of tokens that fills steadily; a request takes one, an empty bucket refuses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP, isIPv4 } from "node:net";
import { LRUCache } from "lru-cache";
import { TOO_MANY_REQUESTS } from "../response/headers.ts";
import { Problem } from "../response/problem.ts";

export interface RateLimit {
  /** What a full bucket holds. */
  readonly requests: number;
  /** How long an empty one takes to fill, in milliseconds. */
  readonly perMs: number;
}

/** Sets the headers of a limited answer; returns the refusal when the client has nothing left. */
export type Limit = (request: IncomingMessage, response: ServerResponse) => Problem | undefined;

/** What a client has left. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RateLimiter {
  take(client: string): Allowance;
}

/** One bucket is some hundred bytes. A client that is forgotten starts with a full one. */
const MAX_CLIENTS = 50_000;

export function createRateLimiter(
  { requests, perMs }: RateLimit,
  clock: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: MAX_CLIENTS });
  const seconds = (tokens: number) => String(Math.ceil((tokens * perMs) / requests / 1000));
  return {
    take(client) {
      const now = clock();
      const known = buckets.get(client) ?? { tokens: requests, at: now };
      const tokens = Math.min(requests, known.tokens + ((now - known.at) * requests) / perMs);
      const isAllowed = tokens >= 1;
      const left = isAllowed ? tokens - 1 : tokens;
      buckets.set(client, { tokens: left, at: now });
      const headers = {
        "RateLimit-Limit": String(requests),
        "RateLimit-Remaining": String(Math.floor(left)),
        "RateLimit-Reset": seconds(requests - left),
      };
      return { isAllowed, headers: isAllowed ? headers : { ...headers, "Retry-After": seconds(1 - left) } };
    },
  };
}

/** Whoever watches over the server must not be told to come later. */
const NEVER_LIMITED = new Set(["/health", "/health/live", "/health/ready", "/ready", "/metrics"]);

export function createRateLimitCheck(limiter: RateLimiter, trustProxy: boolean, refused: () => void): Limit {
  return (request, response) => {
    if (request.method === "OPTIONS" || NEVER_LIMITED.has(request.url ?? "")) return undefined;
    const { isAllowed, headers } = limiter.take(clientOf(request, trustProxy));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (isAllowed) return undefined;
    refused();
    return new Problem(429, TOO_MANY_REQUESTS);
  };
}

/**
 * Whom a request counts for: the other end of the connection, or, behind a proxy that we trust, the address that it saw. A network of IPv6 counts as
 * one client, for its owner has all addresses in it.
 */
export function clientOf(request: IncomingMessage, trustProxy: boolean): string {
  const seen = request.socket.remoteAddress ?? "";
  const forwarded = trustProxy ? String(request.headers["x-forwarded-for"] ?? "") : "";
  // Only what the nearest proxy added is known to be true: the rest may be the client's own words.
  const last = forwarded.slice(forwarded.lastIndexOf(",") + 1).trim();
  return networkOf(isIP(last) === 0 ? seen : last);
}

const GROUPS = 8;
/** /64: what one subscriber is given. */
const NETWORK_GROUPS = 4;

function networkOf(address: string): string {
  const mapped = address.slice(address.lastIndexOf(":") + 1);
  if (isIP(address) !== 6) return address;
  if (isIPv4(mapped)) return mapped;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : GROUPS - before.length - after.length;
  return [...before, ...Array.from({ length: gap }, () => "0"), ...after].slice(0, NETWORK_GROUPS).join(":");
}
