import { REQUEST_LIMITS } from "../../response/request-limits.ts";

/** The limits of a statement. It runs in its own process, so that it cannot affect the server. */
export const SQL_LIMITS = {
  /** The size of the returned rows as JSON; further rows are only counted. */
  bytes: 256 * 1024,
  /** The timeout, unless QUERY_TIMEOUT_MS is shorter. */
  ms: 10_000,
  /**
   * DuckDB's own limit. Memory that it does not count, such as a single long text, is limited by the size of the
   * process.
   */
  memory: "400MB",
  processBytes: 900 * 1024 * 1024,
  /** The most statements that run at the same time. */
  running: 2,
  runningOfClient: REQUEST_LIMITS.runningStatements.most,
  /** How long a process waits for the next statement. */
  idleMs: 300_000,
  /** The most statements that wait; further ones are rejected. */
  waiting: 32,
  waitingOfClient: REQUEST_LIMITS.waitingStatements.most,
} as const;

/** The exit status of a process that became too large. */
export const TOO_LARGE = 3;

/** The number of rows, and the first of them. */
export interface SqlRows {
  readonly total: number;
  readonly rows: readonly object[];
}

export type SqlAnswer = SqlRows | { readonly problem: string };
