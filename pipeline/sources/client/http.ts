/**
 * The HTTP client of an upstream system: bounded concurrency, a pause between requests, timeouts, retries with
 * back-off, jitter and `Retry-After`.
 */
import { setMaxListeners } from "node:events";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { exchange, readLocal, type UpstreamRequest, type UpstreamResponse } from "./exchange.ts";
import { createThrottle } from "./throttle.ts";
import {
  connectionError,
  UpstreamError,
  UpstreamRedirected,
  UpstreamRefused,
  UpstreamTimeout,
  UpstreamTooLarge,
  UpstreamUnreachable,
} from "../../errors.ts";

export interface RequestPolicy {
  /** The most requests in flight. */
  concurrency: number;
  /** Minimum time between the starts of two requests, in milliseconds. */
  pauseMs: number;
  /** Timeout of an attempt, its body included, in milliseconds. */
  timeoutMs: number;
  /** How often a failed request is retried; 0 = never. */
  retries: number;
  /** The delay before the first retry, in milliseconds; it doubles each time, with jitter, up to `backoffCapMs`. */
  backoffMs: number;
  backoffCapMs: number;
  /**
   * The longest `Retry-After` that is honoured, in milliseconds; a request with a longer delay fails at once. Default:
   * five minutes.
   */
  maxRetryAfterMs?: number;
  /** The largest body, after inflating. Default: 50 MB. */
  maxBytes?: number;
}

const MAX_RETRY_AFTER_MS = 300_000;
const MAX_BYTES = 50_000_000;

export interface Client {
  readonly system: string;
  /**
   * Sends a request and parses the complete response with `read`. An UpstreamBadResponse thrown by `read` is retried
   * like any other failure.
   * @throws UpstreamTimeout, UpstreamRefused, UpstreamBadResponse after the last attempt; any other error of `read`, at
   *   once
   */
  request<T>(request: UpstreamRequest, read: (response: UpstreamResponse) => T | Promise<T>): Promise<T>;
  /**
   * Retries work of several requests by the same policy while `isRetryable` accepts its error, for failures that no
   * single response shows, such as two responses that contradict each other.
   */
  retry<T>(work: () => Promise<T>, isRetryable: (error: UpstreamError) => boolean, signal?: AbortSignal): Promise<T>;
}

/** Creates a client for an upstream system; `file:` addresses are read from disk. */
export function createClient(system: string, policy: RequestPolicy): Client {
  const limit = pLimit(policy.concurrency);
  const throttle = createThrottle(policy);
  const { maxBytes = MAX_BYTES } = policy;

  async function attempt(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (request.url.protocol === "file:") return readLocal(system, request.url, maxBytes, request.accept);
    const timeout = AbortSignal.timeout(policy.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      const response = await exchange(system, request, maxBytes, signal);
      throttle.onSuccess();
      return response;
    } catch (error) {
      if (error instanceof UpstreamRefused && isRateLimit(error.status)) throttle.onRateLimit();
      if (error instanceof UpstreamError) throw error;
      if (timeout.aborted)
        throw new UpstreamTimeout(system, `no complete response within ${policy.timeoutMs} ms`, { cause: error });
      if (request.signal?.aborted) throw new UpstreamTimeout(system, "the deadline passed", { cause: error });
      throw connectionError(system, request.url, error);
    }
  }

  async function backOff(error: UpstreamError, tries: number, signal?: AbortSignal): Promise<void> {
    const retryAfter = (error instanceof UpstreamRefused ? error.retryAfterMs : undefined) ?? 0;
    if (retryAfter > (policy.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS)) throw error;
    const delay = Math.min(policy.backoffCapMs, policy.backoffMs * 2 ** tries);
    const ms = Math.max(retryAfter, delay * (0.5 + Math.random() / 2));
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw error;
    });
  }

  /** Runs work when a slot is free; rejects as soon as the signal aborts. */
  function withSlot<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (!signal) return limit(work);
    // Hundreds of requests may share one signal: no listener-leak warning.
    setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      const leave = () => reject(new UpstreamTimeout(system, "the deadline passed"));
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      void limit(async () => {
        // Lets all listeners of an abort run first, so that the slot does not go to another aborted request.
        await setImmediate();
        if (!signal.aborted) await work().then(resolve, reject);
        signal.removeEventListener("abort", leave);
      });
    });
  }

  const client: Client = {
    system,
    request: (request, read) =>
      client.retry(
        () =>
          withSlot(async () => {
            await throttle.wait(request.signal).catch(() => {
              throw new UpstreamTimeout(system, "the deadline passed");
            });
            return read(await attempt(request).finally(throttle.onEnd));
          }, request.signal),
        (error) => !isFinal(error),
        request.signal,
      ),
    async retry(work, isRetryable, signal) {
      let first: UpstreamError | undefined;
      for (let tries = 0; ; tries++) {
        try {
          return await work();
        } catch (error) {
          // When the deadline ends a retry, report the error that caused the retry.
          if (error instanceof UpstreamTimeout && signal?.aborted && first) throw first;
          if (!(error instanceof UpstreamError) || tries >= policy.retries || signal?.aborted) throw error;
          first ??= error;
          if (!isRetryable(error)) throw error;
          await backOff(error, tries, signal);
        }
      }
    },
  };
  return client;
}

/** Client errors are not retried, except those of rate limiters. */
function isFinal(error: UpstreamError): boolean {
  const kinds = [UpstreamTooLarge, UpstreamRedirected, UpstreamUnreachable];
  if (kinds.some((kind) => error instanceof kind)) return true;
  const { status = 0 } = error instanceof UpstreamRefused ? error : {};
  return status >= 400 && status < 500 && ![403, 408, 425, 429].includes(status);
}

/** The schedule system signals its rate limit with a redirect. */
const isRateLimit = (status = 0): boolean => status === 429 || status === 503 || (status >= 300 && status < 400);
