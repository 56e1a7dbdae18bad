/** What one client, or all of them together, may take: times in milliseconds. */

export interface Limits {
  /** A client that takes longer for its request's head is refused. */
  readonly headersMs: number;
  /** A client that reads nothing of its answer for this long is cut off. */
  readonly stallMs: number;
  /** The longest time from the first byte of an answer to its last. */
  readonly responseMs: number;
  /** How long running answers may take after the end was asked for. */
  readonly drainMs: number;
  /** Open connections; a further one is closed at once. */
  readonly connections: number;
  /** The longest time for a question's statement. */
  readonly statementMs: number;
  /** Large answers that are made while they are sent, at the same time. */
  readonly largeResponses: number;
  /** Further ones that wait for their turn; what comes after them is refused. */
  readonly largeWaiting: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  headersMs: 20_000,
  stallMs: 60_000,
  responseMs: 600_000,
  drainMs: 10_000,
  connections: 4096,
  statementMs: 30_000,
  largeResponses: 64,
  largeWaiting: 512,
});

/** Idle keep-alive connections live longer than those of usual proxies (60 s), so that no proxy meets a closing one. */
export const KEEP_ALIVE_MS = 65_000;
