/** Runs statements: prepares them once per connection, binds values, limits their time, reads results. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  JSDuckDBValueConverter,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";
import { LRUCache } from "lru-cache";
import { type QueryOptions, type QueryRunner, StatementTimeout, StatementTooLarge } from "./query.ts";
import { type Bindable, type Fragment, toText } from "./sql.ts";

export interface PreparedConnection {
  readonly connection: DuckDBConnection;
  readonly prepared: LRUCache<string, DuckDBPreparedStatement>;
}

/** A connection that a single caller uses until it is released. */
export interface Lease extends PreparedConnection {
  release(): void;
}

const OUT_OF_MEMORY = /^(?:Out of Memory Error|.*max_temp_directory_size)/;

const PREPARED_PER_CONNECTION = 128;
/** How often a running statement is checked; an interrupt before DuckDB has begun it is lost, and thus repeated. */
const CHECK_MS = 25;
/** The number of rows per chunk; small enough that reading long texts does not block the event loop. */
const ROWS_PER_CHUNK = 128;

export const toPreparedConnection = (connection: DuckDBConnection): PreparedConnection => ({
  connection,
  prepared: new LRUCache({ max: PREPARED_PER_CONNECTION, dispose: (statement) => statement.destroySync() }),
});

/**
 * Creates a runner.
 * @param acquire returns a connection of the pool
 * @param call wraps every native call that runs on DuckDB's threads
 * @param timeoutMs the time limit of a statement
 */
export function createQueryRunner(
  acquire: (options: QueryOptions) => Promise<Lease>,
  call: <T>(run: () => Promise<T>) => Promise<T>,
  timeoutMs: number,
): QueryRunner {
  async function prepare({ connection, prepared }: Lease, text: string, uncached: boolean) {
    const cached = uncached ? undefined : prepared.get(text);
    if (cached) return cached;
    const statement = await call(() => connection.prepare(text));
    if (!uncached) prepared.set(text, statement);
    return statement;
  }

  /** Yields the prepared and bound statement; releases its connection when the consuming loop ends. */
  async function* bound(fragment: Fragment, options: QueryOptions) {
    const { uncached = false, unlimited = false, signal } = options;
    const lease = await acquire(options);
    let statement: DuckDBPreparedStatement | undefined;
    try {
      signal?.throwIfAborted();
      statement = await prepare(lease, toText(fragment), uncached);
      bind(statement, fragment.values);
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
          options.signal?.throwIfAborted();
          const chunk = await call(() => result.fetchChunk());
          if (!chunk || chunk.rowCount === 0) break;
          const { columnCount, rowCount } = chunk;
          for (let row = 0; row < rowCount; row += ROWS_PER_CHUNK) {
            const length = Math.min(ROWS_PER_CHUNK, rowCount - row);
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

/** Binds values. An empty list has no element type to infer, so the types of lists are given. */
function bind(statement: DuckDBPreparedStatement, values: readonly Bindable[]): void {
  if (values.length === 0) return;
  const bound = values.map((value): DuckDBValue => (typeof value === "object" ? listValue([...value]) : value));
  const types = values.map((value) => (typeof value === "object" ? LIST(VARCHAR) : undefined));
  statement.bind(bound, types as DuckDBType[]);
}

/** Runs a statement on `connection` for at most `ms` milliseconds. @throws StatementTimeout; the signal's reason */
async function withTimeout<T>(
  connection: DuckDBConnection,
  ms: number,
  run: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // The signal may have aborted while the statement was prepared.
  signal?.throwIfAborted();
  const deadline = performance.now() + ms;
  let isLate = false;
  // Most statements end before the first check, and a listener of the signal would cost each of them more.
  const checks = setInterval(() => {
    isLate ||= performance.now() >= deadline;
    if (isLate || signal?.aborted) connection.interrupt();
  }, CHECK_MS);
  try {
    return await run();
  } catch (error) {
    signal?.throwIfAborted();
    throw isLate ? new StatementTimeout(ms) : toKind(error);
  } finally {
    clearInterval(checks);
  }
}

const toKind = (error: unknown): unknown =>
  error instanceof Error && OUT_OF_MEMORY.test(error.message)
    ? new StatementTooLarge("a statement ran out of memory", { cause: error })
    : error;

/**
 * Returns all chunks. The result is complete, and fetching chunks asynchronously, each on a thread, would take longer
 * than the statement.
 */
const chunksOf = (result: DuckDBMaterializedResult): DuckDBDataChunk[] =>
  Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i));

function toIntegers(chunks: readonly DuckDBDataChunk[], column: number): Int32Array {
  const all = new Int32Array(chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0));
  let count = 0;
  for (const chunk of chunks) {
    const vector = chunk.getColumnVector(column);
    // Each access of `chunk.rowCount` is a native call.
    for (let row = 0; row < vector.itemCount; row++) all[count++] = vector.getItem(row) as number;
  }
  return all;
}
