import { REQUEST_LIMITS } from "../../response/request-limits.ts";

/** What one statement may take. It runs in a process of its own, which ends with it: whatever it does, the server goes on. */
export const SQL_LIMITS = {
  /** Of the first rows, as JSON; the others are counted. */
  bytes: 256 * 1024,
  /** Or less, if QUERY_TIMEOUT_MS is. */
  ms: 10_000,
  /** DuckDB's own limit; what it does not count, such as one long text, is bounded by the size of the process. */
  memory: "400MB",
  processBytes: 900 * 1024 * 1024,
  /** At once. */
  running: 2,
  runningOfClient: REQUEST_LIMITS.runningStatements.most,
  /** Further ones wait for their turn, and are turned away when so many wait. */
  waiting: 32,
  waitingOfClient: REQUEST_LIMITS.waitingStatements.most,
} as const;

/** Exit status of a process that became too large. */
export const TOO_LARGE = 3;

/** From the server to the process. */
export interface SqlTask {
  readonly artifactsDir: string;
  readonly snapshot: string;
  readonly sql: string;
}

/** How many rows there are, and the first of them. */
export interface SqlRows {
  readonly total: number;
  readonly rows: readonly object[];
}

/** Its answer. */
export type SqlAnswer = SqlRows | { readonly problem: string };
