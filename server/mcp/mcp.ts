/** `/mcp`: the tools for assistants, over the published data only. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Endpoint } from "../response/endpoint.ts";
import { shown, toCause, toProblem } from "../response/problem.ts";
import { didYouMean } from "../response/warnings.ts";
import type { Log } from "../../pipeline/log.ts";
import { closestNames } from "../../pipeline/settings/closest-names.ts";
import type { Page } from "../site/page.ts";
import type { Store } from "../snapshot/store.ts";
import { type Ask, callTool, type Result, ToolProblem } from "./call.ts";
import type { SqlRunner } from "./sql/run-statement.ts";
import { callSql, sqlDefinition } from "./sql/sql-tool.ts";
import { type Arguments, toTool } from "./tool.ts";
import { TOOLS } from "./tools.ts";
import { serveProtocol } from "./transport.ts";

export interface McpParts {
  readonly endpoints: readonly Endpoint[];
  readonly ask: Ask;
  readonly store: Store;
  readonly sql: SqlRunner;
  readonly artifactsDir: string;
  readonly trustProxy: boolean;
  readonly log: Log;
}

const INSTRUCTIONS = `A university's public academic data: schedule, grades, courses, instructors, calendar. Everything is read from one published snapshot, whose id is in every result. Begin with search where a name is not exact. A result that would be too long has no data but says how to narrow it.`;

export function createMcp({ endpoints, trustProxy, log, ...parts }: McpParts): Page {
  const tools = new Map(
    TOOLS.map((record) => {
      const endpoint = endpoints.find(({ path }) => path === record.path);
      if (!endpoint) throw new Error(`the tool ${record.name} has no endpoint ${record.path}`);
      return [record.name, toTool(record, endpoint)];
    }),
  );
  const definitions = [...[...tools.values()].map(({ definition }) => definition), sqlDefinition];

  function call(name: string, given: Arguments, context: { requestId: string; signal: AbortSignal }): Promise<Result> {
    const tool = tools.get(name);
    if (tool) return callTool(tool, given, { ...parts, ...context });
    if (name === sqlDefinition.name) return callSql(given, { ...parts, ...context });
    const known = definitions.map((one) => one.name);
    const meant = didYouMean(closestNames(name.slice(0, 60), known));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown(name)}${meant}`);
  }

  /** A failed call is a result that says why, so that whoever called can mend it. */
  async function toResult(name: string, given: Arguments, context: { requestId: string; signal: AbortSignal }) {
    try {
      const result = await call(name, given, context);
      return {
        content: [{ type: "text" as const, text: JSON.stringify(result) }],
        structuredContent: { ...result },
      };
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const isKnown = error instanceof ToolProblem;
      const problem = toProblem(error);
      if (!isKnown && problem.status >= 500 && !context.signal.aborted)
        log.error("request failed", { requestId: context.requestId, route: "/mcp", cause: toCause(error) });
      return { content: [{ type: "text" as const, text: isKnown ? error.message : problem.message }], isError: true };
    }
  }

  return serveProtocol(
    ({ requestInfo }) => {
      const server = new Server(
        { name: "academic-data-rest-service", title: "Academic Data REST Service", version: "1.0.0" },
        { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
      );
      const context = {
        requestId: requestInfo?.headers.get("x-request-id") ?? "",
        signal: requestInfo?.signal ?? new AbortController().signal,
      };
      server.setRequestHandler("tools/list", () => ({ tools: definitions }));
      server.setRequestHandler("tools/call", ({ params }) => toResult(params.name, params.arguments ?? {}, context));
      return server;
    },
    { trustProxy },
  );
}
