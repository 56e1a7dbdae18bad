/** Runs untrusted statements over the published tables, each in its own process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { createQueue, TooManyWaiting } from "../../duckdb/queue.ts";
import { ToolProblem } from "../call.ts";
import { SQL_LIMITS, type SqlAnswer, type SqlRows, type SqlTask, TOO_LARGE } from "./limits.ts";

export interface SqlRunner {
  /**
   * Runs a statement.
   * @param client one statement per client runs at a time
   * @throws ToolProblem, also while too many statements wait
   */
  run(task: SqlTask, client: string, signal: AbortSignal): Promise<SqlRows>;
  /** Ends running and waiting statements. */
  close(): void;
}

const PROGRAM = "#programs/server/mcp/sql/sql-process.js";

/**
 * Flags for Node's permission model: the process cannot write files or start processes. DuckDB is native code, which
 * Node does not restrict; it is restricted by its allowed functions and its locked list of files.
 */
const READ_ONLY = [
  process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission",
  "--allow-fs-read=*",
  "--allow-addons",
];

/** Returns the arguments of a statement's process. A small heap is enough, because rows are few. */
export const statementProcess = (): string[] => [
  ...READ_ONLY,
  "--max-old-space-size=128",
  createRequire(import.meta.url).resolve(PROGRAM),
];

/** Creates a runner. @param statementMs the longest time of any statement of the server */
export function createSqlRunner(statementMs: number): SqlRunner {
  const ms = Math.min(statementMs, SQL_LIMITS.ms);
  const ending = new AbortController();
  const queue = createQueue(SQL_LIMITS);

  async function answer(task: SqlTask, signal: AbortSignal): Promise<SqlAnswer> {
    const late = AbortSignal.timeout(ms);
    // The child gets none of this process's environment.
    const child = spawn(process.execPath, statementProcess(), {
      ...{ env: {}, stdio: ["pipe", "pipe", "ignore"], killSignal: "SIGKILL" },
      signal: AbortSignal.any([late, signal]),
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(task));
    const ended = once(child, "close").catch(() => []);
    const output = await text(child.stdout);
    const [status] = (await ended) as [number | null | undefined];
    if (status === 0) return JSON.parse(output) as SqlAnswer;
    if (late.aborted) return { problem: `the statement takes longer than ${ms / 1000} seconds: read fewer rows` };
    // V8 aborts when it cannot allocate a string.
    if (status === TOO_LARGE || child.signalCode === "SIGABRT")
      return { problem: "the statement needs more memory than it may use: read fewer rows" };
    return { problem: "the statement cannot be run" };
  }

  return {
    async run(task, client, callerSignal) {
      const signal = AbortSignal.any([callerSignal, ending.signal]);
      const release = await queue.enqueue(client, signal).catch((error: unknown) => {
        if (ending.signal.aborted) throw new ToolProblem("The server is ending. Please try again.");
        if (!(error instanceof TooManyWaiting)) throw error;
        throw new ToolProblem("Busy: other statements are running. Please try again in a few seconds.");
      });
      try {
        const result = await answer(task, signal);
        if ("problem" in result) throw new ToolProblem(result.problem);
        return result;
      } finally {
        release();
      }
    },
    close: () => ending.abort(),
  };
}
