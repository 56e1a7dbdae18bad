/** A statement that takes too long is ended: its connection is for others too. */
import type { DuckDBConnection } from "@duckdb/node-api";

export class StatementTooLong extends Error {
  override name = "StatementTooLong";
  constructor(ms: number) {
    super(`a statement took longer than ${ms} ms and was ended`);
  }
}

/** Runs a statement on `connection` for at most `ms` milliseconds. @throws StatementTooLong */
export async function inTime<T>(
  connection: Pick<DuckDBConnection, "interrupt">,
  ms: number,
  run: () => Promise<T>,
): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connection.interrupt();
  }, ms);
  try {
    return await run();
  } catch (error) {
    throw isLate ? new StatementTooLong(ms) : error;
  } finally {
    clearTimeout(timer);
  }
}
