/**
 * The one way in from outside: a polite client for one upstream system. It bounds concurrency, keeps a pause between the starts of requests,
 * gives every attempt a time-out, and repeats what failed a bounded number of times, with back-off, jitter and `Retry-After`.
 */
import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { createThrottle } from "./throttle.ts";
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../errors.ts";

export const USER_AGENT = "academic-data-rest-service/1.0 (read-only crawler)";

export interface RequestPolicy {
  /** Requests under way at once. */
  concurrency: number;
  /** Least time between the starts of two requests, in milliseconds. */
  pauseMs: number;
  /** Longest wait for one attempt, its body included, in milliseconds. */
  timeoutMs: number;
  /** How often a failed request is repeated; 0 = never. */
  retries: number;
  /** The first wait before a repetition; it doubles each time, with jitter, up to `backoffCapMs`. */
  backoffMs: number;
  backoffCapMs: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; on a longer one the request fails at once. Default: five minutes. */
  maxRetryAfterMs?: number;
}

const MAX_RETRY_AFTER_MS = 300_000;

export interface UpstreamRequest {
  url: URL;
  /** Sent as a form by POST; without it the request is a GET. */
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** A redirect is followed only on demand: the schedule system uses it to say "slow down". */
  follow?: boolean;
  /** Statuses besides 200 that are responses and no failures, such as 304 or 404. */
  accept?: readonly number[];
  /** Ends the attempt and all repetitions. */
  signal?: AbortSignal;
}

/** A whole response: the body has been read to its end and has the length that was promised. */
export interface UpstreamResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  url: URL;
}

export interface Client {
  readonly system: string;
  /**
   * Asks, and hands the whole response to `read`. When `read` throws UpstreamBadResponse the request is repeated like any other failure.
   * @throws UpstreamTimeout, UpstreamRefused, UpstreamBadResponse after the last attempt; what else `read` throws, at once
   */
  request<T>(request: UpstreamRequest, read: (response: UpstreamResponse) => T | Promise<T>): Promise<T>;
  /**
   * Repeats work that asks several requests, by the same policy, as long as it fails with an error that `isRepeatable` names: what no
   * single response shows, such as two responses that contradict each other.
   */
  repeat<T>(work: () => Promise<T>, isRepeatable: (error: UpstreamError) => boolean, signal?: AbortSignal): Promise<T>;
}

/** A client for one upstream system; `file:` addresses are read from the disk by the same rules. */
export function createClient(system: string, policy: RequestPolicy): Client {
  const limit = pLimit(policy.concurrency);
  const throttle = createThrottle(policy);

  async function attempt(request: UpstreamRequest): Promise<UpstreamResponse> {
    if (request.url.protocol === "file:") return readLocal(system, request.url, request.accept);
    const timeout = AbortSignal.timeout(policy.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      const response = await exchange(system, request, signal);
      throttle.wentWell();
      return response;
    } catch (error) {
      if (error instanceof UpstreamRefused && isRateLimit(error.status)) throttle.tooFast();
      if (error instanceof UpstreamError) throw error;
      if (timeout.aborted)
        throw new UpstreamTimeout(system, `no whole response within ${policy.timeoutMs} ms`, { cause: error });
      if (request.signal?.aborted) throw new UpstreamTimeout(system, "the deadline passed", { cause: error });
      throw new UpstreamRefused(system, "the connection failed", undefined, undefined, { cause: error });
    }
  }

  async function wait(error: UpstreamError, tries: number, signal?: AbortSignal): Promise<void> {
    const asked = (error instanceof UpstreamRefused ? error.retryAfterMs : undefined) ?? 0;
    if (asked > (policy.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS)) throw error;
    const backoff = Math.min(policy.backoffCapMs, policy.backoffMs * 2 ** tries);
    const ms = Math.max(asked, backoff * (0.5 + Math.random() / 2));
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw error;
    });
  }

  /** Waits for a free place, but never past the signal. */
  function inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (!signal) return limit(work);
    // Hundreds of requests may share one signal.
    setMaxListeners(0, signal);
    return new Promise((resolve, reject) => {
      const leave = () => reject(new UpstreamTimeout(system, "the deadline passed"));
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      void limit(async () => {
        // Who leave together are heard of one after another: none of them gets the place that another has just left.
        await setImmediate();
        // Given up while it stood in the queue: the place is passed on.
        if (!signal.aborted) await work().then(resolve, reject);
        signal.removeEventListener("abort", leave);
      });
    });
  }

  const client: Client = {
    system,
    request: (request, read) =>
      client.repeat(
        () =>
          inTurn(async () => {
            await throttle.turn(request.signal).catch(() => {
              throw new UpstreamTimeout(system, "the deadline passed");
            });
            return read(await attempt(request).finally(throttle.ended));
          }, request.signal),
        (error) => !(error instanceof UpstreamRefused && error.status !== undefined && isFinal(error.status)),
        request.signal,
      ),
    async repeat(work, isRepeatable, signal) {
      let first: UpstreamError | undefined;
      for (let tries = 0; ; tries++) {
        try {
          return await work();
        } catch (error) {
          // The deadline that ends a repetition says less than what made it necessary.
          if (error instanceof UpstreamTimeout && signal?.aborted && first) throw first;
          if (!(error instanceof UpstreamError) || tries >= policy.retries || signal?.aborted) throw error;
          first ??= error;
          if (!isRepeatable(error)) throw error;
          await wait(error, tries, signal);
        }
      }
    },
  };
  return client;
}

/** A status that a repetition cannot change. 403, 408, 425 and 429 are what rate limiters send. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && ![403, 408, 425, 429].includes(status);

/** What rate limiters say: the schedule system redirects. */
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
    const words = redirected ? "a redirect, which signals the rate limit" : `status ${response.status}`;
    throw new UpstreamRefused(system, words, response.status, readRetryAfter(response.headers.get("retry-after")));
  }
  let body: Buffer;
  try {
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpstreamBadResponse(system, "the body was cut off", { cause: error });
  }
  const promised = response.headers.get("content-length");
  if (
    promised !== null &&
    !response.headers.has("content-encoding") &&
    response.status === 200 &&
    Number(promised) !== body.length
  ) {
    throw new UpstreamBadResponse(system, `the body has ${body.length} bytes instead of ${promised}`);
  }
  return { status: response.status, headers: response.headers, body, url: new URL(response.url || url) };
}

/** The character set that a response's Content-Type names. */
export function charsetOf(response: Pick<UpstreamResponse, "headers">): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(response.headers.get("content-type") ?? "")?.[1];
}

/** Seconds or an HTTP date → milliseconds from now. */
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
      {
        cause: error,
      },
    );
  }
}
