/** The middleware chain in front of the application, in the order in which a request passes through it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { H3, H3EventContext } from "h3";
import { NodeRequest, sendNodeResponse } from "srvx/node";
import type { RateLimit } from "../../pipeline/settings/server.ts";
import { Problem, problemParts, type ToErrorBody } from "../response/problem.ts";
import type { Observation } from "../telemetry/observation.ts";
import { omitConnection, type ResponseCache } from "./cache.ts";
import type { Exchange, Middleware, Next, Reject } from "./middleware.ts";
import { withinLimit } from "./rate-limit.ts";

interface ChainParts {
  /** A path prefix that requests may have, with a slash at both ends. */
  readonly base: string;
  readonly pipelining: Pipelining;
  readonly observation: Observation;
  readonly reject: Reject;
  readonly rateLimit: RateLimit | undefined;
  readonly trustProxy: boolean;
  readonly onRateLimited: () => void;
  /** Undefined = every request is routed. */
  readonly responseCache: Pick<ResponseCache, "replay"> | undefined;
}

export function createChain(
  app: H3,
  { base, pipelining, observation, reject, rateLimit, trustProxy, onRateLimited, responseCache }: ChainParts,
) {
  let isEnding = false;
  const middlewares: readonly Middleware[] = [
    withoutPrefix(base),
    withValidHost(reject),
    ...(rateLimit ? [withinLimit(rateLimit, trustProxy, onRateLimited, reject)] : []),
    ...(responseCache ? [replayCached(responseCache)] : []),
  ];
  const respond = middlewares.reduceRight<Next>(
    (next, middleware) => (exchange) => middleware(exchange, next),
    toApplication(app, observation),
  );
  return {
    handle(request: IncomingMessage, response: ServerResponse): void {
      pipelining.inOrder(request.socket, response, () => {
        const log = observation.begin(request, response);
        if (isEnding) response.shouldKeepAlive = false;
        respond({ request, response, log });
      });
    },
    /** From now on, connections close after their responses. */
    end: () => void (isEnding = true),
  };
}

export const createReject =
  (toErrorBody: ToErrorBody): Reject =>
  ({ response, log }, problem, { keepsConnection } = { keepsConnection: false }) => {
    const { headers, body } = problemParts(problem, log.requestId, toErrorBody);
    response.writeHead(problem.status, { ...headers, ...(keepsConnection ? {} : { Connection: "close" }) });
    response.end(body);
  };

/**
 * Strips BASE_PATH: requests are accepted with and without the path prefix of the installation. Below `/academic/`,
 * `/academic?x` becomes `/?x`.
 * @param base the prefix with a slash at both ends
 */
function withoutPrefix(base: string): Middleware {
  const prefix = base.slice(0, -1);
  return (exchange, next) => {
    const { url = "/" } = exchange.request;
    const rest = url.startsWith(prefix) ? url.slice(prefix.length) : url;
    exchange.request.url = rest === "" || rest.startsWith("?") ? `/${rest}` : rest.startsWith("/") ? rest : url;
    next(exchange);
  };
}

/** Validates the Host header: a request has exactly one valid Host, except in HTTP/1.0 (RFC 9112 §3.2). */
const withValidHost =
  (reject: Reject): Middleware =>
  (exchange, next) => {
    const problem = hostProblem(exchange.request);
    if (problem) reject(exchange, problem);
    else next(exchange);
  };

/** These follow RFC 3986 §3.2.2. An empty host is invalid in an http URL (RFC 9110 §4.2.1). */
const HOST_NAME = "(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})+";
const HOST_ADDRESS = "\\[[\\da-f:.]+(?:%25[\\w.~-]+)?\\]";
const VALID_HOST = new RegExp(`^(?:${HOST_NAME}|${HOST_ADDRESS})(?::\\d*)?$`, "i");

function hostProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  const { host } = headers;
  if (host === undefined || host === "")
    return httpVersion === "1.0" ? undefined : new Problem(400, "The request has no Host header.");
  if (!VALID_HOST.test(host)) return new Problem(400, "The Host header of the request is not valid.");
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1 ? new Problem(400, "The request has more than one Host header.") : undefined;
}

const replayCached =
  (cache: Pick<ResponseCache, "replay">): Middleware =>
  (exchange, next) => {
    if (!cache.replay(exchange.request, exchange.response, exchange.log)) next(exchange);
  };

function toApplication(app: H3, observation: Observation): Next {
  async function dispatch({ request, response, log }: Exchange): Promise<void> {
    const incoming = new NodeRequest({ req: request, res: response });
    const routed = await app.request(incoming, undefined, { log } as object as H3EventContext);
    if (routed.status === 304) omitConnection(response);
    // An event stream has already sent its own headers and stays open.
    if (response.headersSent) observation.release(response);
    else await sendNodeResponse(response, routed);
  }
  return (exchange) => {
    dispatch(exchange).catch(() => exchange.response.destroy());
  };
}

interface Waiting {
  /** Undefined for an error response on the bare socket. */
  readonly response: ServerResponse | undefined;
  readonly answer: () => void;
}

interface Connection {
  /** The response to the last request that was started. */
  response: ServerResponse | undefined;
  waiting: Waiting[];
  /** When the socket was last resumed, in milliseconds of `performance.now()`. */
  resumedAt: number;
}

export type Pipelining = ReturnType<typeof createPipelining>;

/**
 * Handles pipelined requests one at a time per connection. Node's parser hands over every request of the bytes that it
 * has read; if all were answered at once, the responses would wait in memory for a client that does not read. Requests
 * therefore queue, and the socket is paused while any request waits. Closes the connection and calls `onOverflow` for
 * any request beyond `maxWaiting` queued ones of all connections.
 */
export function createPipelining(maxWaiting: number, onOverflow: () => void) {
  const connections = new WeakMap<Socket, Connection>();
  let waiting = 0;

  function answerNext(socket: Socket, connection: Connection): void {
    while (connection.waiting.length > 0) {
      const { response } = connection;
      if (!socket.writable) {
        waiting -= connection.waiting.length;
        connection.waiting = [];
      } else if (response && !response.closed) {
        // Let other connections proceed first.
        return void response.once("close", () => setImmediate(answerNext, socket, connection));
      } else {
        const next = connection.waiting.shift() as Waiting;
        waiting--;
        connection.response = next.response ?? response;
        next.answer();
      }
    }
    socket.off("resume", pauseAgain);
    socket.resume();
    connection.resumedAt = performance.now();
  }

  /** Calls `answer` once every earlier response of the connection is sent; never if the connection ends first. */
  function inOrder(socket: Socket, response: ServerResponse | undefined, answer: () => void): void {
    // After a destroy, the parser still emits requests that it has already read.
    if (socket.destroyed) return;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { response: undefined, waiting: [], resumedAt: -Infinity }));
    const isFirst = connection.waiting.length === 0;
    if (isFirst && (!connection.response || connection.response.closed)) {
      connection.response = response;
      return answer();
    }
    if (waiting >= maxWaiting) {
      onOverflow();
      return void socket.destroy();
    }
    waiting++;
    connection.waiting.push({ response, answer });
    if (!isFirst) return;
    socket.pause();
    socket.on("resume", pauseAgain);
    answerNext(socket, connection);
  }

  /**
   * Answers data that cannot be parsed, in order. If it breaks the body of a request, the answer replaces that
   * request's response, which would otherwise wait for the rest of the body forever.
   */
  function endInOrder(socket: Socket, answer: () => void): void {
    const connection = connections.get(socket);
    const last = connection?.waiting.at(-1)?.response ?? connection?.response;
    if (!connection || !last || last.req.complete) return inOrder(socket, undefined, answer);
    if (connection.waiting.length > 0) connection.waiting.splice(-1, 1, { response: undefined, answer });
    else if (!last.headersSent) answer();
    else socket.end();
  }

  return {
    inOrder,
    endInOrder,
    /** True if the socket was paused at any time in the last `ms` milliseconds. */
    wasPaused(socket: Socket, ms: number): boolean {
      const connection = connections.get(socket);
      return (
        connection !== undefined && (connection.waiting.length > 0 || connection.resumedAt > performance.now() - ms)
      );
    },
  };
}

/** Pauses the socket again: Node resumes it whenever its client has read something. */
function pauseAgain(this: Socket): void {
  this.pause();
}
