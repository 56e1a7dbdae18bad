/** Runs strangers' statements over the published tables, each in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { ToolProblem } from "../call.ts";
import { SQL_LIMITS, type SqlAnswer, type SqlTask, TOO_LARGE } from "./limits.ts";

export interface SqlRunner {
  /** @throws ToolProblem, also while too many others run */
  run(task: SqlTask, signal: AbortSignal): Promise<{ readonly total: number; readonly rows?: readonly object[] }>;
  /** Ends what runs. */
  close(): void;
}

const PROGRAM = "#programs/server/mcp/sql/sql-process.js";

/** @param statementMs the longest time of any statement of the server */
export function createSqlRunner(statementMs: number): SqlRunner {
  const ms = Math.min(statementMs, SQL_LIMITS.ms);
  const ending = new AbortController();
  let running = 0;

  async function run(task: SqlTask, signal: AbortSignal): Promise<SqlAnswer> {
    const late = AbortSignal.timeout(ms);
    const program = createRequire(import.meta.url).resolve(PROGRAM);
    // Nothing of this process's environment, and a small heap: rows are few.
    const child = spawn(process.execPath, ["--max-old-space-size=128", program], {
      ...{ env: {}, stdio: ["pipe", "pipe", "ignore"], killSignal: "SIGKILL" },
      signal: AbortSignal.any([late, signal, ending.signal]),
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(task));
    const ended = once(child, "close").catch(() => []);
    const answer = await text(child.stdout);
    const [status] = (await ended) as [number | null | undefined];
    if (status === 0) return JSON.parse(answer) as SqlAnswer;
    if (late.aborted) return { problem: `the statement takes longer than ${ms / 1000} seconds: read fewer rows` };
    // The second is what V8 does without room for a text.
    if (status === TOO_LARGE || child.signalCode === "SIGABRT")
      return { problem: "the statement needs more memory than it may use: read fewer rows" };
    return { problem: "the statement cannot be run" };
  }

  return {
    async run(task, signal) {
      if (running >= SQL_LIMITS.running)
        throw new ToolProblem("Busy: other statements are running. Please try again in a few seconds.");
      running++;
      try {
        const answer = await run(task, signal);
        if ("problem" in answer) throw new ToolProblem(answer.problem);
        return answer;
      } finally {
        running--;
      }
    },
    close: () => ending.abort(),
  };
}
