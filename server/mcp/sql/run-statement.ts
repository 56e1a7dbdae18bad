/** Runs untrusted statements over the published tables, each in a process of its own, of which one is started ahead. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { createQueue, TooManyWaiting } from "../../duckdb/queue.ts";
import { type PublishedSnapshot, readAsOf, tableFiles } from "../../../pipeline/store/published.ts";
import { unavailable } from "../../response/problem.ts";
import { ToolProblem } from "../call.ts";
import { answerStatement, openStatementShell } from "./answer-statement.ts";
import { SQL_LIMITS, type SqlAnswer, type SqlRows, TOO_LARGE } from "./limits.ts";

export type SqlRunner = ReturnType<typeof createSqlRunner>;

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

type WaitingProcess = ReturnType<typeof startProcess>;

/** Starts a process that opens its data and waits for its only statement. */
function startProcess(published: PublishedSnapshot) {
  // The child gets none of this process's environment.
  const child = spawn(process.execPath, statementProcess(), { env: {}, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(tableFiles(published))}\n`);
  /** The exit status; null for a process that was killed. */
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  return { published, child, output: text(child.stdout), ended };
}

/** Creates a runner. @param statementMs the longest time of any statement of the server */
export function createSqlRunner(statementMs: number) {
  const ms = Math.min(statementMs, SQL_LIMITS.ms);
  const ending = new AbortController();
  const queue = createQueue(SQL_LIMITS);
  /** Started ahead, because starting takes longer than most statements. */
  let next: WaitingProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function takeProcess(published: PublishedSnapshot): WaitingProcess {
    const waiting = next;
    if (waiting?.published !== published) {
      dropNext();
      return startProcess(published);
    }
    next = undefined;
    clearTimeout(idle);
    return waiting;
  }

  function startNext(published: PublishedSnapshot): void {
    if (next || ending.signal.aborted) return;
    const started = startProcess(published);
    next = started;
    void started.ended.then(() => {
      if (next === started) next = undefined;
    });
    idle = setTimeout(dropNext, SQL_LIMITS.idleMs).unref();
  }

  function dropNext(): void {
    clearTimeout(idle);
    next?.child.kill("SIGKILL");
    next = undefined;
  }

  async function answer(published: PublishedSnapshot, sql: string, caller: AbortSignal): Promise<SqlAnswer> {
    const late = AbortSignal.timeout(ms);
    const signal = AbortSignal.any([late, caller]);
    const { child, ended, output } = takeProcess(published);
    const kill = () => child.kill("SIGKILL");
    signal.addEventListener("abort", kill);
    if (signal.aborted) kill();
    child.stdin.end(sql);
    const [status, json] = await Promise.all([ended, output]);
    signal.removeEventListener("abort", kill);
    if (status === 0) return JSON.parse(json) as SqlAnswer;
    if (late.aborted) return { problem: `the statement takes longer than ${ms / 1000} seconds: read fewer rows` };
    // V8 aborts when it cannot allocate a string.
    if (status === TOO_LARGE || child.signalCode === "SIGABRT")
      return { problem: "the statement needs more memory than it may use: read fewer rows" };
    return { problem: "the statement cannot be run" };
  }

  return {
    /**
     * Runs a statement.
     * @param client one statement per client runs at a time
     * @throws ToolProblem, also while too many statements wait
     */
    async run(published: PublishedSnapshot, sql: string, client: string, callerSignal: AbortSignal): Promise<SqlRows> {
      const signal = AbortSignal.any([callerSignal, ending.signal]);
      const release = await queue.enqueue(client, signal).catch((error: unknown) => {
        if (ending.signal.aborted) throw new ToolProblem("The server is ending. Please try again.");
        if (!(error instanceof TooManyWaiting)) throw error;
        throw new ToolProblem("Busy: other statements are running. Please try again in a few seconds.");
      });
      try {
        const result = await answer(published, sql, signal);
        if ("problem" in result) throw new ToolProblem(result.problem);
        return result;
      } finally {
        release();
        startNext(published);
      }
    },
    close(): void {
      ending.abort();
      dropNext();
    },
  };
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = 10;

/**
 * Runs statements of the server itself, which are trusted, in this process. The returned function throws Problem
 * (503) when a statement cannot be run on a snapshot.
 */
export const createStatementRows =
  (artifactsDir: string) =>
  async (snapshot: string, statement: string): Promise<readonly object[]> => {
    const opening = readAsOf(artifactsDir, snapshot, new Date()).then(tableFiles).then(openStatementShell);
    const answer = await answerStatement(opening, statement);
    if (answer && "rows" in answer) return answer.rows;
    throw unavailable(RETRY_AFTER, "The result is not available. Please try again in a few seconds.");
  };
