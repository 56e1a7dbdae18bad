/** What a statement is run with, what it gives and how it can fail: all that the rest of the server knows of the database. */
import { NO_CLIENT } from "./queue.ts";
import type { Fragment } from "./sql.ts";

export interface QueryOptions {
  /** Do not keep this statement in the prepared-statement cache. */
  readonly uncached?: boolean;
  /** May take long; heavy statements never take a pool's last connection. Those of requests run two at once, and wait for a second at most. */
  readonly heavy?: boolean;
  /** Has no time limit, such as a load. */
  readonly unlimited?: boolean;
  /** Takes the statement out of the queue, or interrupts it. */
  readonly signal?: AbortSignal;
  /** Whose statement it is: clients that wait are served in turn. */
  readonly client?: string;
}

/** For statements over published files, whose names differ in every generation. They may take long. */
export const OVER_FILES: QueryOptions = { uncached: true, heavy: true };
export const LOADING: QueryOptions = { ...OVER_FILES, unlimited: true };

export interface QueryRunner {
  columns(statement: Fragment, options?: QueryOptions): Promise<unknown[][]>;
  /** The result some rows at a time, as a list of columns. Holds one connection until the end. */
  chunks(statement: Fragment, options?: QueryOptions): AsyncIterable<unknown[][]>;
  /** A result of INTEGER columns without nulls. */
  integers(statement: Fragment, options?: QueryOptions): Promise<Int32Array[]>;
}

/** For whom statements are run. */
export interface PoolClient {
  /** Aborts when the client disconnects. It is asked for when a statement is run: most requests run none. */
  readonly signal: () => AbortSignal;
  /** Its address: the statements of clients that wait are served in turn. */
  readonly name: () => string;
}

const never = new AbortController().signal;
/** Whom work is for that goes on whichever clients go away. */
export const NOBODY: PoolClient = { signal: () => never, name: () => NO_CLIENT };

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

/** The columns of a result as objects. */
export const toRows = <T extends object>(names: readonly string[], columns: readonly (readonly unknown[])[]): T[] =>
  Array.from(
    columns[0] ?? [],
    (_, row) => Object.fromEntries(names.map((name, column) => [name, columns[column]?.[row]])) as T,
  );
