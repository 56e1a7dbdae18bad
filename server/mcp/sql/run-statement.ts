/** Runs strangers' statements over the published tables, each in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { createQueue, TooManyWaiting } from "../../duckdb/queue.ts";
import { ToolProblem } from "../call.ts";
import { SQL_LIMITS, type SqlAnswer, type SqlRows, type SqlTask, TOO_LARGE } from "./limits.ts";

export interface SqlRunner {
  /**
   * @param client whose turn it takes: one statement of each runs at once
   * @throws ToolProblem, also while too many others wait
   */
  run(task: SqlTask, client: string, signal: AbortSignal): Promise<SqlRows>;
  /** Ends what runs and what waits. */
  close(): void;
}

const PROGRAM = "#programs/server/mcp/sql/sql-process.js";

/**
 * Node opens no file for writing there, and starts no process. DuckDB is native code, which Node does not bound: it is bound by the functions that are
 * allowed and by its own locked list of files.
 */
const READ_ONLY = [
  process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission",
  "--allow-fs-read=*",
  "--allow-addons",
];

/** How a statement's process is started; rows are few, so that a small heap is enough. */
export const statementProcess = (): string[] => [
  ...READ_ONLY,
  "--max-old-space-size=128",
  createRequire(import.meta.url).resolve(PROGRAM),
];

/** @param statementMs the longest time of any statement of the server */
export function createSqlRunner(statementMs: number): SqlRunner {
  const ms = Math.min(statementMs, SQL_LIMITS.ms);
  const ending = new AbortController();
  const queue = createQueue(SQL_LIMITS);

  async function answer(task: SqlTask, signal: AbortSignal): Promise<SqlAnswer> {
    const late = AbortSignal.timeout(ms);
    // Nothing of this process's environment.
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
    // The second is what V8 does without room for a text.
    if (status === TOO_LARGE || child.signalCode === "SIGABRT")
      return { problem: "the statement needs more memory than it may use: read fewer rows" };
    return { problem: "the statement cannot be run" };
  }

  return {
    async run(task, client, asked) {
      const signal = AbortSignal.any([asked, ending.signal]);
      const endTurn = await queue.enqueue(client, signal).catch((error: unknown) => {
        if (ending.signal.aborted) throw new ToolProblem("The server is ending. Please try again.");
        if (!(error instanceof TooManyWaiting)) throw error;
        throw new ToolProblem("Busy: other statements are running. Please try again in a few seconds.");
      });
      try {
        const answered = await answer(task, signal);
        if ("problem" in answered) throw new ToolProblem(answered.problem);
        return answered;
      } finally {
        endTurn();
      }
    },
    close: () => ending.abort(),
  };
}
