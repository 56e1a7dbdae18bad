/**
 * Faults between a client and an S3 store, and their frequency: in the store itself, or in a proxy before a real one.
 */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { errorResponse, S3Error, type StoreRequest, type StoreResponse, targetOf } from "./exchange.ts";

/**
 * - `lost-request`: the connection is closed before the store gets the request, so nothing is written.
 * - `lost-response`: the store has done what was asked; the connection is closed without a response.
 * - `late-request`: the store gets the request `ms` later, even when the client has given up by then.
 * - `late-response`: the store has done what was asked; the response comes `ms` later.
 * - `cut-request`: the store gets half the body, and then the connection is closed.
 * - `cut-response`: the connection is closed after half the body of the response.
 * - `conflict`, `slow-down`, `internal-error`: 409, 503 or 500; the store does not get the request.
 */
export const FAULTS = [
  "lost-request",
  "lost-response",
  "late-request",
  "late-response",
  "cut-request",
  "cut-response",
  "conflict",
  "slow-down",
  "internal-error",
] as const;

export interface Fault {
  readonly kind: (typeof FAULTS)[number];
  /** How late. */
  readonly ms?: number;
}

export interface FaultTarget {
  readonly method: string;
  /** Empty for a listing. */
  readonly key: string;
}

/** Decides what goes wrong with a request; undefined: nothing. */
export type FaultHook = (target: FaultTarget) => Fault | undefined;

/** The fault for the first `times` requests of this method whose key matches. */
export function nextFault(method: string, key: RegExp, fault: Fault, times = 1): FaultHook {
  let left = times;
  return (target) => {
    if (left === 0 || target.method !== method || !key.test(target.key)) return undefined;
    left--;
    return fault;
  };
}

/**
 * A share of the requests, each with a fault drawn from the seed, the method, the key and how often it was requested:
 * the order of keys plays no part.
 */
export function drawnFaults(seed: number, share: number, ms = 50): FaultHook {
  const asked = new Map<string, number>();
  return ({ method, key }) => {
    const nth = (asked.get(`${method} ${key}`) ?? 0) + 1;
    asked.set(`${method} ${key}`, nth);
    const drawn = createHash("sha256").update(`${seed} ${method} ${key} ${nth}`).digest();
    if (drawn.readUInt32BE(0) >= share * 2 ** 32) return undefined;
    const kinds = FAULTS.filter((kind) => method === "PUT" || !(kind === "conflict" || kind === "cut-request"));
    return { kind: kinds[drawn.readUInt32BE(4) % kinds.length] ?? "lost-request", ms };
  };
}

const REFUSALS = new Map<string, S3Error>([
  ["conflict", new S3Error(409, "ConditionalRequestConflict", "A conflicting operation is under way.")],
  ["slow-down", new S3Error(503, "SlowDown", "Please reduce your request rate.")],
  ["internal-error", new S3Error(500, "InternalError", "We encountered an internal error. Please try again.")],
]);

/** A request in the log of a store or a proxy. */
export interface LoggedRequest extends FaultTarget {
  /** The query of a listing. */
  readonly query: string;
  /** Null when no response was sent whole. */
  readonly status: number | null;
  readonly fault: Fault["kind"] | null;
}

/**
 * Answers a request by `handle`, with the first fault that a hook names. `handle` recognizes a request that was cut off
 * by its body, which is shorter than its Content-Length.
 */
export async function respondWithFault(
  hooks: readonly FaultHook[],
  request: StoreRequest,
  response: ServerResponse,
  handle: (request: StoreRequest) => Promise<StoreResponse>,
): Promise<LoggedRequest> {
  const { method, body, search } = request;
  const { key } = targetOf(request.path);
  let fault: Fault | undefined;
  for (const hook of hooks) if ((fault = hook({ method, key })) !== undefined) break;
  const log = (status: number | null) => ({ method, key, query: search.slice(1), status, fault: fault?.kind ?? null });
  const drop = () => {
    response.destroy();
    return log(null);
  };
  const kind = fault?.kind;
  if (kind === "lost-request") return drop();
  if (kind === "cut-request") {
    await handle({ ...request, body: body.subarray(0, body.length >> 1) }).catch(() => undefined);
    return drop();
  }
  if (kind === "late-request") await sleep(fault?.ms);
  const refusal = REFUSALS.get(kind ?? "");
  const result = refusal ? errorResponse(refusal) : await handle(request);
  if (kind === "lost-response") return drop();
  if (kind === "late-response") await sleep(fault?.ms);
  const hasBody = result.status !== 204 && result.status !== 304;
  response.writeHead(result.status, {
    ...(hasBody ? { "content-length": result.body.length } : {}),
    ...result.headers,
  });
  if (kind === "cut-response") {
    response.write(result.body.subarray(0, result.body.length >> 1), () => response.destroy());
    return log(null);
  }
  response.end(method === "HEAD" ? undefined : result.body);
  return log(result.status);
}
