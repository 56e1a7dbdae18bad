/** `/mcp`: the Model Context Protocol, without sessions. Every POST is answered by a server of its own, from the published data only. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  ProtocolError,
  ProtocolErrorCode,
  readRequestBody,
  Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { HTTPResponse } from "h3";
import type { Endpoint } from "../response/endpoint.ts";
import { commonHeaders } from "../response/headers.ts";
import { Problem, shown, toCause, toProblem } from "../response/problem.ts";
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

export interface McpParts {
  readonly endpoints: readonly Endpoint[];
  readonly ask: Ask;
  readonly store: Store;
  readonly sql: SqlRunner;
  readonly artifactsDir: string;
  readonly trustProxy: boolean;
  readonly log: Log;
}

const MAX_BODY_BYTES = 64 * 1024;
const BODY_MS = 20_000;
const INSTRUCTIONS = `A university's public academic data: schedule, grades, courses, instructors, calendar. Everything is read from one published snapshot, whose id is in every result. Begin with search where a name is not exact. A result that would be too long has no data but says how to narrow it.`;

const LOOPBACK = /^(?:::1$|(?:::ffff:)?127\.)/i;

/** Closes the connection: what follows the part that was read is no request. */
const rejected = (status: number, message: string): Problem => new Problem(status, message, { Connection: "close" });

/** @throws Problem (408, 413) */
async function readBody(request: Request): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(rejected(408, "The request did not arrive in time.")), BODY_MS);
  });
  try {
    const body = await Promise.race([readRequestBody(request, MAX_BODY_BYTES), late]);
    if (body.tooLarge) throw rejected(413, `The request is larger than ${MAX_BODY_BYTES / 1024} kB.`);
    return body.text;
  } finally {
    clearTimeout(timer);
  }
}

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

  const handler = createMcpHandler(
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
    // Nothing is ever announced.
    { maxSubscriptions: 0 },
  );

  return async ({ event, requestId }) => {
    const { req, runtime } = event;
    // A page of another site may have given its own name this machine's address (DNS rebinding).
    if (!trustProxy && LOOPBACK.test(runtime?.node?.req.socket.localAddress ?? "")) {
      const host = validateHostHeader(req.headers.get("host"), localhostAllowedHostnames());
      const origin = validateOriginHeader(req.headers.get("origin"), localhostAllowedOrigins());
      if (!host.ok || !origin.ok)
        throw new Problem(403, "A local server takes requests for localhost only; behind a proxy set TRUST_PROXY=1.");
    }
    const headers = new Headers(req.headers);
    headers.set("x-request-id", requestId);
    const body = await readBody(req);
    const response = await handler.fetch(new Request(event.url, { method: "POST", headers, body, signal: req.signal }));
    return new HTTPResponse(response.body, {
      status: response.status,
      headers: { "Cache-Control": "no-store", ...Object.fromEntries(response.headers), ...commonHeaders(requestId) },
    });
  };
}
