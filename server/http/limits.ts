/** Limits on clients and requests; times in milliseconds. */

export interface Limits {
  /** Time to receive the request headers (408). */
  readonly headersMs: number;
  /** Time without progress on a connection before it is closed. */
  readonly stallMs: number;
  /** Time to send a response. */
  readonly responseMs: number;
  /** Time for requests in flight at shutdown. */
  readonly drainMs: number;
  /** Open connections; further ones are closed immediately. */
  readonly connections: number;
  readonly statementMs: number;
  /** Concurrent streamed responses. */
  readonly largeResponses: number;
  /** Queued streamed responses; further ones get 503. */
  readonly queuedLargeResponses: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  headersMs: 20_000,
  stallMs: 60_000,
  responseMs: 600_000,
  drainMs: 10_000,
  connections: 4096,
  statementMs: 30_000,
  largeResponses: 64,
  queuedLargeResponses: 512,
});

/** Longer than the idle timeout of common proxies (60 s), so that no proxy reuses a connection that is being closed. */
export const KEEP_ALIVE_MS = 65_000;
