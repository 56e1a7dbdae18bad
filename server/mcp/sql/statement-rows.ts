/** Statements of the server itself, whose results all readers share. */
import { NO_CLIENT } from "../../duckdb/queue.ts";
import { unavailable } from "../../response/problem.ts";
import { ToolProblem } from "../call.ts";
import type { SqlRunner } from "./run-statement.ts";

/** Seconds after which a client may try again. */
const RETRY_AFTER = 10;
/** A result that is shared does not depend on a connection. */
const NEVER = new AbortController().signal;

/** The returned function throws Problem (503) while a statement cannot be run. */
export const createStatementRows =
  (sql: SqlRunner, artifactsDir: string) =>
  async (snapshot: string, statement: string): Promise<readonly object[]> => {
    try {
      return (await sql.run({ artifactsDir, snapshot, sql: statement }, NO_CLIENT, NEVER)).rows;
    } catch (error) {
      throw error instanceof ToolProblem ? unavailable(RETRY_AFTER, error.message) : error;
    }
  };
