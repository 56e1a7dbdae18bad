/** Runs statements on one connection at a time: prepares them once, binds values, bounds their time, reads results. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
  JSDuckDBValueConverter,
} from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { type Fragment, toStatement } from "./sql.ts";

export interface QueryOptions {
  /** Do not keep this statement in the prepared-statement cache. */
  readonly uncached?: boolean;
  /** May take long; heavy statements never take a pool's last connection. Those of requests run two at once, and wait for a second at most. */
  readonly heavy?: boolean;
  /** Has no time limit, such as a load. */
  readonly unlimited?: boolean;
  /** Interrupts the statement. */
  readonly signal?: AbortSignal;
}

export interface PreparedConnection {
  readonly connection: DuckDBConnection;
  readonly prepared: LRUCache<string, DuckDBPreparedStatement>;
}

/** A connection that is used by one caller until it is released. */
export interface Lease extends PreparedConnection {
  release(): void;
}

export interface QueryRunner {
  columns(statement: Fragment, options?: QueryOptions): Promise<unknown[][]>;
  /** The result some rows at a time, as a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment, options?: QueryOptions): AsyncIterable<unknown[][]>;
  /** A result of INTEGER columns without nulls. */
  integers(statement: Fragment, options?: QueryOptions): Promise<Int32Array[]>;
}

export class StatementTimeout extends Error {
  override name = "StatementTimeout";
  constructor(ms: number) {
    super(`a statement took longer than ${ms} ms and was interrupted`);
  }
}

/** Two heavy statements of requests are running, and did not end within a second. */
export class TooManyStatements extends Error {
  override name = "TooManyStatements";
}

/** The statement needs more memory than all statements of its kind may take, also with what can be written to disk. */
export class StatementTooLarge extends Error {
  override name = "StatementTooLarge";
}

const OUT_OF_MEMORY = /^(?:Out of Memory Error|.*max_temp_directory_size)/;

const PREPARED_PER_CONNECTION = 128;
const INTERRUPT_AGAIN_MS = 50;
/** Few enough rows that reading long texts does not block the event loop. */
const ROWS_AT_A_TIME = 128;

export const toPreparedConnection = (connection: DuckDBConnection): PreparedConnection => ({
  connection,
  prepared: new LRUCache({ max: PREPARED_PER_CONNECTION, dispose: (statement) => statement.destroySync() }),
});

/**
 * @param acquire a connection of the pool
 * @param call wraps every native call that runs on DuckDB's threads
 * @param timeoutMs the longest time of one statement
 */
export function createQueryRunner(
  acquire: (options: Pick<QueryOptions, "heavy" | "unlimited">) => Promise<Lease>,
  call: <T>(run: () => Promise<T>) => Promise<T>,
  timeoutMs: number,
): QueryRunner {
  async function prepare({ connection, prepared }: Lease, text: string, uncached: boolean) {
    const known = uncached ? undefined : prepared.get(text);
    if (known) return known;
    const statement = await call(() => connection.prepare(text));
    if (!uncached) prepared.set(text, statement);
    return statement;
  }

  /** Yields the statement, prepared and bound; releases its connection when the consuming loop ends. */
  async function* bound(
    fragment: Fragment,
    { heavy = false, uncached = false, unlimited = false, signal }: QueryOptions,
  ) {
    const lease = await acquire({ heavy, unlimited });
    let statement: DuckDBPreparedStatement | undefined;
    try {
      signal?.throwIfAborted();
      const { text, values, types } = toStatement(fragment);
      statement = await prepare(lease, text, uncached);
      if (values.length > 0) statement.bind(values, types as DuckDBType[]);
      const bounded = statement;
      const limit = unlimited ? Infinity : timeoutMs;
      yield {
        statement,
        run: () => call(() => withTimeout(lease.connection, limit, () => bounded.run(), signal)),
      };
    } finally {
      if (uncached) statement?.destroySync();
      lease.release();
    }
  }

  async function read<T>(
    fragment: Fragment,
    options: QueryOptions,
    toColumn: (chunks: readonly DuckDBDataChunk[], column: number) => T,
  ): Promise<T[]> {
    for await (const { run } of bound(fragment, options)) {
      const result = await run();
      const chunks = chunksOf(result);
      return Array.from({ length: result.columnCount }, (_, column) => toColumn(chunks, column));
    }
    return [];
  }

  return {
    columns: (fragment, options = {}) =>
      read(fragment, options, (chunks, column) =>
        chunks.flatMap((chunk) => chunk.convertColumnValues(column, JSDuckDBValueConverter)),
      ),
    integers: (fragment, options = {}) => read(fragment, options, toIntegers),
    async *chunks(fragment, options = {}) {
      for await (const { statement } of bound(fragment, options)) {
        const result = await call(() => statement.stream());
        for (;;) {
          const chunk = await call(() => result.fetchChunk());
          if (!chunk || chunk.rowCount === 0) break;
          const { columnCount, rowCount } = chunk;
          for (let row = 0; row < rowCount; row += ROWS_AT_A_TIME) {
            const length = Math.min(ROWS_AT_A_TIME, rowCount - row);
            yield Array.from({ length: columnCount }, (_, column) => {
              const vector = chunk.getColumnVector(column);
              return Array.from({ length }, (_, i) => vector.getItem(row + i) as unknown);
            });
          }
        }
      }
    },
  };
}

/** The columns of a result as objects. */
export const toRows = <T extends object>(names: readonly string[], columns: readonly (readonly unknown[])[]): T[] =>
  Array.from(
    columns[0] ?? [],
    (_, row) => Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row]])) as T,
  );

/** Runs a statement on `connection` for at most `ms` milliseconds. @throws StatementTimeout; the signal's reason */
async function withTimeout<T>(
  connection: DuckDBConnection,
  ms: number,
  run: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // It may have been aborted while the statement was prepared.
  signal?.throwIfAborted();
  let isLate = false;
  const interrupt = () => connection.interrupt();
  const timer =
    ms === Infinity
      ? undefined
      : setTimeout(() => {
          isLate = true;
          interrupt();
        }, ms);
  let interrupting: NodeJS.Timeout | undefined;
  const abort = () => {
    interrupt();
    // An interrupt that comes before DuckDB has begun the statement is lost.
    interrupting = setInterval(interrupt, INTERRUPT_AGAIN_MS);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw isLate ? new StatementTimeout(ms) : toKind(error);
  } finally {
    clearTimeout(timer);
    clearInterval(interrupting);
    signal?.removeEventListener("abort", abort);
  }
}

const toKind = (error: unknown): unknown =>
  error instanceof Error && OUT_OF_MEMORY.test(error.message)
    ? new StatementTooLarge("a statement ran out of memory", { cause: error })
    : error;

/** The result is complete: fetching its chunks one by one, each on a thread of its own, would take longer than the statement. */
const chunksOf = (result: DuckDBMaterializedResult): DuckDBDataChunk[] =>
  Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i));

function toIntegers(chunks: readonly DuckDBDataChunk[], column: number): Int32Array {
  const all = new Int32Array(chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0));
  let at = 0;
  for (const chunk of chunks) {
    const vector = chunk.getColumnVector(column);
    // `chunk.rowCount` is a native call each time.
    for (let row = 0; row < vector.itemCount; row++) all[at++] = vector.getItem(row) as number;
  }
  return all;
}
