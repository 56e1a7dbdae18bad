/** `/mcp`: the tools for assistants, over published data only. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Endpoint } from "../response/endpoint.ts";
import { shown, toCause, toProblem } from "../response/problem.ts";
import { REQUEST_LIMITS } from "../response/request-limits.ts";
import { didYouMean } from "../response/warnings.ts";
import type { Log } from "../../pipeline/log.ts";
import { closestNames } from "../../pipeline/settings/closest-names.ts";
import type { Page } from "../pages/page.ts";
import { type Result, toAnswer, toError } from "./answer.ts";
import { type Caller, callTool, ToolProblem } from "./call.ts";
import { instructionsOf } from "./instructions.ts";
import type { CurrentTerm } from "../pages/current-term.ts";
import type { SqlRunner } from "./sql/run-statement.ts";
import { callSql, sqlDefinition } from "./sql/sql-tool.ts";
import { type Arguments, toTool } from "./tool.ts";
import { createQueue, TooManyWaiting } from "../duckdb/queue.ts";
import { TOOLS } from "./tools.ts";
import { CLIENT, serveProtocol } from "./transport.ts";

interface McpParts extends Pick<Caller, "sendRequest" | "reserveMemory" | "store"> {
  readonly endpoints: readonly Endpoint[];
  readonly currentTerm: CurrentTerm;
  readonly sql: SqlRunner;
  readonly trustProxy: boolean;
  readonly log: Log;
}

/**
 * Limits concurrent calls to the number of database connections, so that requests of others do not queue behind them.
 */
const CALL_LIMITS = {
  running: 4,
  runningOfClient: REQUEST_LIMITS.calls.most,
  waiting: 512,
  waitingOfClient: REQUEST_LIMITS.waitingCalls.most,
};
const BUSY = "Busy: other calls are running. Please try again in a few seconds.";

type Context = Pick<Caller, "requestId" | "signal"> & { readonly client: string };

export function createMcp({ endpoints, trustProxy, log, ...parts }: McpParts): Page {
  const tools = new Map(
    TOOLS.map((record) => {
      const endpoint = endpoints.find(({ path }) => path === record.path);
      if (!endpoint) throw new Error(`the tool ${record.name} has no endpoint ${record.path}`);
      return [record.name, toTool(record, endpoint)];
    }),
  );
  const definitions = [...[...tools.values()].map(({ definition }) => definition), sqlDefinition];

  const queue = createQueue(CALL_LIMITS);
  async function enqueue({ client, signal }: Context, run: () => Promise<Result>): Promise<Result> {
    const release = await queue.enqueue(client, signal).catch((error: unknown) => {
      throw error instanceof TooManyWaiting ? new ToolProblem(BUSY) : error;
    });
    return run().finally(release);
  }

  function call(name: string, args: Arguments, context: Context): Promise<Result> {
    const tool = tools.get(name);
    if (tool) return enqueue(context, () => callTool(tool, args, { ...parts, ...context }));
    if (name === sqlDefinition.name) return callSql(args, { ...parts, ...context });
    const toolNames = definitions.map((tool) => tool.name);
    const suggestion = didYouMean(closestNames(name.slice(0, 60), toolNames));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown(name)}${suggestion}`);
  }

  /** Calls a tool. A failed call is a result that states the reason, so that the caller can correct it. */
  async function toResult(name: string, args: Arguments, context: Context) {
    try {
      return toAnswer(await call(name, args, context));
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const isKnown = error instanceof ToolProblem;
      const problem = toProblem(error);
      if (!isKnown && problem.status >= 500 && !context.signal.aborted)
        log.error("request failed", { requestId: context.requestId, route: "/mcp", cause: toCause(error) });
      return toError(isKnown ? error.message : problem.message);
    }
  }

  return serveProtocol(async ({ requestInfo }) => {
    const server = new Server(
      { name: "academic-data-rest-service", title: "Academic Data REST Service", version: "1.0.0" },
      { capabilities: { tools: {} }, instructions: await instructionsOf(parts.store, parts.currentTerm, new Date()) },
    );
    const context = {
      requestId: requestInfo?.headers.get("x-request-id") ?? "",
      client: requestInfo?.headers.get(CLIENT) ?? "",
      signal: requestInfo?.signal ?? new AbortController().signal,
    };
    server.setRequestHandler("tools/list", () => ({ tools: definitions }));
    server.setRequestHandler("tools/call", ({ params }) => toResult(params.name, params.arguments ?? {}, context));
    return server;
  }, trustProxy);
}
