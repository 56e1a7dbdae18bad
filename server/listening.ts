/** Listens, and stops listening without cutting off those who are being answered. */
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type H3, toNodeHandler } from "h3";
import { listen } from "listhen";
import { UsageError } from "../pipeline/errors.ts";
import type { KnownQuestions } from "./known-questions.ts";
import { commonHeaders, JSON_TYPE } from "./headers.ts";
import { Problem, problemBody } from "./problem.ts";

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A client that sends its request's head more slowly than this is cut off. */
const HEAD_TIMEOUT_MS = 20_000;
/** Idle keep-alive connections live longer than those of usual proxies (60 s), so that no proxy meets a closing one. */
const KEEP_ALIVE_MS = 65_000;
/** How long running answers may take after the end was asked for. */
const DRAIN_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** @throws UsageError when the port is taken: another one would not be the one that clients know */
export async function listenOn(
  app: H3,
  { host, port, compat }: { host: string; port: number; compat: boolean },
  known?: Pick<KnownQuestions, "answer">,
): Promise<Listening> {
  const answer = toNodeHandler(app) as (request: IncomingMessage, response: ServerResponse) => void;
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.host === undefined && request.httpVersion === "1.1")
      return refuse(response, new Problem(400, "The request has no Host header."), compat);
    if (!known?.answer(request, response)) answer(request, response);
  };
  const refused = new UsageError(
    `port ${port} is taken, or ${host === "" ? "this machine" : host} does not let this program listen on it`,
  );
  const listener = await listen(handler, {
    // A number that is no valid port stands for "any": listhen would turn 0 into 3000.
    port:
      port === 0 ? { port: 0, random: true } : { port, portRange: [port, port], alternativePortRange: [port, port] },
    ...(host === "" ? { public: true } : { hostname: host, public: false }),
    isProd: true,
    isTest: false,
    autoClose: false,
    showURL: false,
    ws: false,
  }).catch(() => {
    throw refused;
  });
  const server = listener.server as Server;
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  if (port !== 0 && actual !== port) {
    await listener.close();
    throw refused;
  }
  server.headersTimeout = HEAD_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // Node itself would refuse these two without the shape of all errors.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on("checkExpectation", (_request, response: ServerResponse) =>
    refuse(response, new Problem(417, "This service knows the expectation 100-continue only."), compat),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuseHead(error, socket, compat));
  return {
    url: `http://${host === "" ? "localhost" : host.includes(":") ? `[${host}]` : host}:${actual}`,
    port: actual,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that is kept alive becomes idle when its last answer has gone out.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

/** What Node's parser stopped at, by its code; everything else is a malformed request. */
const HEAD_PROBLEMS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem(431, "The request's head is too large."),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, "The request did not arrive in time."),
};
const MALFORMED = new Problem(400, "The request is malformed.");

/** A head that Node itself refuses never becomes a request: it is answered on the bare connection, in the shape of all errors. */
function refuseHead(error: NodeJS.ErrnoException, socket: Socket, compat: boolean): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = HEAD_PROBLEMS[error.code ?? ""] ?? MALFORMED;
  const { headers, body } = refusal(problem, compat);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`);
}

/** Answers what the application must not see. */
function refuse(response: ServerResponse, problem: Problem, compat: boolean): void {
  const { headers, body } = refusal(problem, compat);
  response.writeHead(problem.status, headers).end(body);
}

function refusal(problem: Problem, compat: boolean): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = problemBody(problem, requestId, compat);
  const headers = {
    ...commonHeaders(requestId),
    "Content-Type": JSON_TYPE,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { headers, body };
}
