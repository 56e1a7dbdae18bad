/**
 * Binds a pool to a client's request: once the client disconnects, its statements are neither started nor queued nor
 * continued.
 */
import type { Pool } from "./pool.ts";
import type { PoolClient, QueryOptions, QueryRunner } from "./query.ts";

/** Binds the pool to a client. If it is already bound to another client, the signal of the later one counts. */
export function poolFor(pool: Pool, client: PoolClient): Pool {
  const optionsFor = (options: QueryOptions = {}): QueryOptions => {
    // Work that is shared between requests has its own signal.
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
