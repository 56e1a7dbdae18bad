/** The pool as a client's request uses it: once the client has gone away, no statement begins, waits or goes on. */
import type { Pool } from "./pool.ts";
import type { QueryOptions, QueryRunner } from "./query.ts";

export interface PoolClient {
  /** Aborts when the client disconnects. It is asked for when a statement is run: most requests run none. */
  signal(): AbortSignal;
  /** Its address: the statements of clients that wait are served in turn. */
  name(): string;
}

export function poolFor(pool: Pool, client: PoolClient): Pool {
  const { shared } = pool;
  const optionsFor = (options: QueryOptions = {}): QueryOptions => {
    // What runs only for as long as others of its request has a signal of its own.
    const signal = options.signal ?? client.signal();
    return { ...options, signal, client: client.name() };
  };
  const runnerFor = (runner: QueryRunner): QueryRunner => ({
    columns: (statement, options) => runner.columns(statement, optionsFor(options)),
    integers: (statement, options) => runner.integers(statement, optionsFor(options)),
    chunks: (statement, options) => runner.chunks(statement, optionsFor(options)),
  });
  return {
    ...shared,
    ...runnerFor(shared),
    files: runnerFor(shared.files),
    shared,
    throwIfGone: () => client.signal().throwIfAborted(),
  };
}
