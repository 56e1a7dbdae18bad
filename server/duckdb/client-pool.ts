/** The pool as a client's request uses it: once the client has gone away, no statement begins, waits or goes on. */
import type { Pool } from "./pool.ts";
import type { PoolClient, QueryOptions, QueryRunner } from "./query.ts";

/** Of two clients that a pool is for, the later one's signal counts. */
export function poolFor(pool: Pool, client: PoolClient): Pool {
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
    ...pool,
    ...runnerFor(pool),
    files: runnerFor(pool.files),
    signal: client.signal,
  };
}
