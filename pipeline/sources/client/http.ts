/** The HTTP client of one upstream system: bounded concurrency, a pause between requests, timeouts, retries with back-off, jitter and `Retry-After`. */
import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { createThrottle } from "./throttle.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../../errors.ts";

export const USER_AGENT = "academic-data-rest-service/1.0 (read-only crawler)";

export interface RequestPolicy {
  /** Requests in flight at once. */
  concurrency: number;
  /** Minimum time between the starts of two requests, in milliseconds. */
  pauseMs: number;
  /** Timeout of one attempt, its body included, in milliseconds. */
  timeoutMs: number;
  /** How often a failed request is retried; 0 = never. */
  retries: number;
  /** The delay before the first retry, in milliseconds; it doubles each time, with jitter, up to `backoffCapMs`. */
  backoffMs: number;
  backoffCapMs: number;
  /** The longest `Retry-After` that is honoured, in milliseconds; on a longer one the request fails at once. Default: five minutes. */
  maxRetryAfterMs?: number;
}

const MAX_RETRY_AFTER_MS = 300_000;

export interface UpstreamRequest {
  url: URL;
  /** Sent as a form by POST; without it the request is a GET. */
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** Off by default: the schedule system redirects to signal its rate limit. */
  follow?: boolean;
  /** Statuses besides 200 that are no failures, such as 304 or 404. */
  accept?: readonly number[];
  /** Aborts the attempt and all retries. */
  signal?: AbortSignal;
}

/** A complete response: the body has the length that Content-Length announced. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  url: URL;
}

export interface Client {
  readonly system: string;
  /**
   * Sends a request and parses the complete response with `read`. An UpstreamBadResponse thrown by `read` is retried like any other failure.
   * @throws UpstreamTimeout, UpstreamRefused, UpstreamBadResponse after the last attempt; any other error of `read`, at once
   */
  request<T>(request: UpstreamRequest, read: (response: UpstreamResponse) => T | Promise<T>): Promise<T>;
  /**
   * Retries work of several requests by the same policy while `isRetryable` accepts its error, for failures that no single response shows, such
   * as two responses that contradict each other.
   */
  retry<T>(work: () => Promise<T>, isRetryable: (error: UpstreamError) => boolean, signal?: AbortSignal): Promise<T>;
}

/** A client for one upstream system; `file:` addresses are read from disk. */
export function createClient(system: string, policy: RequestPolicy): Client {
  const limit = pLimit(policy.concurrency);
  const throttle = createThrottle(policy);

  async function attempt(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (request.url.protocol === "file:") return readLocal(system, request.url, request.accept);
    const timeout = AbortSignal.timeout(policy.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      const response = await exchange(system, request, signal);
      throttle.onSuccess();
      return response;
    } catch (error) {
      if (error instanceof UpstreamRefused && isRateLimit(error.status)) throttle.onRateLimit();
      if (error instanceof UpstreamError) throw error;
      if (timeout.aborted)
        throw new UpstreamTimeout(system, `no complete response within ${policy.timeoutMs} ms`, { cause: error });
      if (request.signal?.aborted) throw new UpstreamTimeout(system, "the deadline passed", { cause: error });
      throw new UpstreamRefused(system, "the connection failed", undefined, undefined, { cause: error });
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
        (error) => !(error instanceof UpstreamRefused && error.status !== undefined && isFinal(error.status)),
        request.signal,
      ),
    async retry(work, isRetryable, signal) {
      let first: UpstreamError | undefined;
      for (let tries = 0; ; tries++) {
        try {
          return await work();
        } catch (error) {
          // When the deadline ends a retry, the error that caused the retry is the one to report.
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

/** Client errors are not retried, except those that rate limiters send. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![403, 408, 425, 429].includes(status);

/** The schedule system signals its rate limit by a redirect. */
const isRateLimit = (status = 0): boolean => status === 429 || status === 503 || (status >= 300 && status < 400);

async function exchange(system: string, request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse> {
  const { url, form, headers = {}, follow = false, accept = [] } = request;
  const response = await fetch(url, {
    method: form ? "POST" : "GET",
    ...(form ? { body: form } : {}),
    headers: { "User-Agent": USER_AGENT, ...headers },
    redirect: follow ? "follow" : "manual",
    signal,
  });
  if (response.status !== 200 && !accept.includes(response.status)) {
    await response.body?.cancel();
    const redirected = response.status >= 300 && response.status < 400;
    const reason = redirected ? "a redirect, which signals the rate limit" : `status ${response.status}`;
    throw new UpstreamRefused(system, reason, response.status, readRetryAfter(response.headers.get("retry-after")));
  }
  let body: Buffer;
  try {
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpstreamBadResponse(system, "the body was cut off", { cause: error });
  }
  const announced = response.headers.get("content-length");
  if (
    announced !== null &&
    !response.headers.has("content-encoding") &&
    response.status === 200 &&
    Number(announced) !== body.length
  ) {
    throw new UpstreamBadResponse(system, `the body has ${body.length} bytes instead of ${announced}`);
  }
  return { status: response.status, headers: response.headers, body, url: new URL(response.url || url) };
}

/** The charset parameter of the Content-Type. */
export function charsetOf(response: Pick<UpstreamResponse, "headers">): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3) → milliseconds from now. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

async function readLocal(system: string, url: URL, accept: readonly number[] = []): Promise<UpstreamResponse> {
  try {
    return { status: 200, headers: new Headers(), body: await readFile(url), url };
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (absent && accept.includes(404)) return { status: 404, headers: new Headers(), body: Buffer.alloc(0), url };
    throw new UpstreamRefused(
      system,
      absent ? "there is no such file" : "the file cannot be read",
      absent ? 404 : undefined,
      undefined,
      { cause: error },
    );
  }
}
