/** The options, results and errors of statements: the interface between the database and the rest of the server. */
import { NO_CLIENT } from "./queue.ts";
import type { Fragment } from "./sql.ts";

export interface QueryOptions {
  /** True keeps the statement out of the prepared-statement cache. */
  readonly uncached?: boolean;
  /**
   * True for a statement that may take long. Heavy statements never take a pool's last connection; those of requests
   * run two at a time and wait for at most a second.
   */
  readonly heavy?: boolean;
  /** True lifts the time limit, as for a load. */
  readonly unlimited?: boolean;
  /** Removes the statement from the queue, or interrupts it. */
  readonly signal?: AbortSignal;
  /** The client of the statement: waiting clients are served in turn. */
  readonly client?: string;
}

/** The options of statements over published files, whose names differ in every snapshot. They may take long. */
export const OVER_FILES: QueryOptions = { uncached: true, heavy: true };
export const LOADING: QueryOptions = { ...OVER_FILES, unlimited: true };

export interface QueryRunner {
  columns(statement: Fragment, options?: QueryOptions): Promise<unknown[][]>;
  /** Yields the result in chunks of rows, each as a list of columns. Occupies a connection until the end. */
  chunks(statement: Fragment, options?: QueryOptions): AsyncIterable<unknown[][]>;
  /** Returns a result of INTEGER columns without nulls. */
  integers(statement: Fragment, options?: QueryOptions): Promise<Int32Array[]>;
}

/** The client for which statements run. */
export interface PoolClient {
  /** Aborts when the client disconnects. Requested only when a statement runs: most requests run none. */
  readonly signal: () => AbortSignal;
  /** Returns the client's address: the statements of waiting clients are served in turn. */
  readonly name: () => string;
}

const never = new AbortController().signal;
/** The client of work that continues regardless of disconnects. */
export const NOBODY: PoolClient = { signal: () => never, name: () => NO_CLIENT };

/** A pool, as far as it is bound to a client. */
export interface BoundRunner extends QueryRunner {
  /** Runs statements that read only files, such as exports, in a separate database with its own memory limit. */
  readonly files: QueryRunner;
  /** Aborts when the client that this pool is bound to disconnects. */
  signal(): AbortSignal;
}

/**
 * Binds the pool to a client's request: once the client disconnects, its statements are neither started nor queued nor
 * continued. If it is already bound to another client, the signal of the later one counts.
 */
export function poolFor<P extends BoundRunner>(pool: P, client: PoolClient): P {
  const optionsFor = (options: QueryOptions = {}): QueryOptions => {
    // Work that is shared between requests has its own signal.
    const signal = options.signal ?? client.signal();
    return Object.assign({}, options, { signal, client: client.name() });
  };
  const runnerFor = (runner: QueryRunner): QueryRunner => ({
    columns: (statement, options) => runner.columns(statement, optionsFor(options)),
    integers: (statement, options) => runner.integers(statement, optionsFor(options)),
    chunks: (statement, options) => runner.chunks(statement, optionsFor(options)),
  });
  const { columns, integers, chunks } = runnerFor(pool);
  return { ...pool, columns, integers, chunks, files: runnerFor(pool.files), signal: client.signal };
}

export class StatementTimeout extends Error {
  override name = "StatementTimeout";
  constructor(ms: number) {
    super(`a statement took longer than ${ms} ms and was interrupted`);
  }
}

/** Thrown when two heavy statements of requests are running and do not end within a second. */
export class TooManyStatements extends Error {
  override name = "TooManyStatements";
}

/** Thrown when a statement needs more memory than all statements of its kind may use, even after spilling to disk. */
export class StatementTooLarge extends Error {
  override name = "StatementTooLarge";
}

/** Converts the columns of a result to objects. */
export const toRows = <T extends object>(names: readonly string[], columns: readonly (readonly unknown[])[]): T[] =>
  Array.from(
    columns[0] ?? [],
    (_, row) => Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row]])) as T,
  );
