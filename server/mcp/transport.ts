/**
 * The Model Context Protocol over HTTP, without sessions: every POST gets its own server. The package decides which
 * protocol revisions are supported.
 */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  ProtocolErrorCode,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { HTTPResponse } from "h3";
import { commonHeaders, JSON_TYPE } from "../response/headers.ts";
import { clientOfEvent, LOOPBACK } from "../response/installation.ts";
import { acceptedOf } from "../response/negotiation.ts";
import { Problem } from "../response/problem.ts";
import { REQUEST_LIMITS } from "../response/request-limits.ts";
import type { Page } from "../pages/page.ts";

/** The header that passes the client's address to tools; a value sent by the client is overwritten. */
export const CLIENT = "x-client-address";

const MAX_BODY_BYTES = REQUEST_LIMITS.message.most;
const BODY_MS = 20_000;

/** Returns an error that closes the connection: the unread rest of the body must not be parsed as a request. */
const rejected = (status: number, message: string): Problem => new Problem(status, message, { Connection: "close" });

/** Reads the body. @throws Problem (408, 413) */
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

/** A batch would be many calls in one request. */
const isBatch = (body: string): boolean => /^\s*\[/.test(body);
const NO_BATCHES = JSON.stringify({
  jsonrpc: "2.0",
  error: {
    code: ProtocolErrorCode.InvalidRequest,
    message:
      "A batch is not answered: send every message in a request of its own (MCP has no batches since 2025-06-18).",
  },
  id: null,
});

/** @param trustProxy true if the server is behind a proxy, which then controls access */
export function serveProtocol(factory: McpServerFactory, trustProxy: boolean): Page {
  // The server never sends notifications, so no subscriptions are needed.
  const handler = createMcpHandler(factory, { maxSubscriptions: 0 });
  return async ({ event, requestId }) => {
    const { req, runtime } = event;
    // Guard against DNS rebinding: another site may have pointed its own name to this machine's address.
    if (!trustProxy && LOOPBACK.test(runtime?.node?.req.socket.localAddress ?? "")) {
      const host = validateHostHeader(req.headers.get("host"), localhostAllowedHostnames());
      const origin = validateOriginHeader(req.headers.get("origin"), localhostAllowedOrigins());
      if (!host.ok || !origin.ok)
        throw new Problem(403, "A local server takes requests for localhost only; behind a proxy set TRUST_PROXY=1.");
    }
    const headers = new Headers(req.headers);
    headers.set("x-request-id", requestId);
    // The package compares media types literally, without weights and wildcards.
    headers.set("accept", acceptedOf(req.headers.get("accept"), ["application/json", "text/event-stream"]).join());
    headers.set(CLIENT, clientOfEvent(event, trustProxy));
    const body = await readBody(req);
    if (isBatch(body))
      return new HTTPResponse(NO_BATCHES, {
        status: 400,
        headers: { "Content-Type": JSON_TYPE, "Cache-Control": "no-store", ...commonHeaders(requestId) },
      });
    const response = await handler.fetch(new Request(event.url, { method: "POST", headers, body, signal: req.signal }));
    return new HTTPResponse(response.body, {
      status: response.status,
      headers: { "Cache-Control": "no-store", ...Object.fromEntries(response.headers), ...commonHeaders(requestId) },
    });
  };
}
