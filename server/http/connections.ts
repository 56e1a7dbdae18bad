/**
 * Connections: their limits (slow request headers, clients that stop reading, too many connections), requests that
 * cannot be parsed, and shutdown.
 */
import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { type Socket, Server as NetServer } from "node:net";
import type { Limits } from "../../pipeline/settings/server.ts";
import { malformed, Problem, problemParts, type ToErrorBody } from "../response/problem.ts";
import { type Observation, requestIdFor } from "../telemetry/observation.ts";

/** Longer than the idle timeout of common proxies (60 s), so that no proxy reuses a connection that is being closed. */
export const KEEP_ALIVE_MS = 65_000;

const CHECK_MS = 1_000;

/**
 * Applies the limits until the returned function is called; `onClose` gets the reason for each connection closed by a
 * limit.
 */
export function limitConnections(
  server: Server,
  observation: Observation,
  { headersMs, stallMs, responseMs, connections }: Limits,
  onClose: (why: "stalled" | "too long" | "too many") => void,
): () => void {
  server.headersTimeout = headersMs;
  checkHeadersEvery(server, Math.min(CHECK_MS, headersMs / 2));
  server.maxConnections = connections;
  server.on("drop", () => onClose("too many"));

  const responseOn = (socket: Socket): ServerResponse | undefined =>
    [...observation.inFlight.keys()].find((response) => response.socket === socket);

  // Node restarts this timer on every read and write of the socket.
  server.timeout = stallMs;
  server.on("timeout", (socket: Socket) => {
    const response = responseOn(socket);
    // The response is still being computed, which has its own timeout.
    if (response && socket.writableLength === 0) return void socket.setTimeout(stallMs);
    if (response) onClose("stalled");
    socket.destroy();
  });

  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const [response, { began }] of observation.inFlight) {
        if (!response.headersSent || now - began < responseMs) continue;
        onClose("too long");
        response.destroy();
      }
    },
    Math.min(CHECK_MS, responseMs),
  ).unref();
  return () => clearInterval(timer);
}

/**
 * Sets `connectionsCheckingInterval` (default 30 s), which only `createServer` accepts and listhen does not pass on.
 * Node restarts its timer with the value on "listening".
 */
function checkHeadersEvery(server: Server, ms: number): void {
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = ms;
  server.emit("listening");
}

const IDLE_CHECK_MS = 50;
const CHECKS_OF_SILENCE = 10;
const QUIET_TURNS = 5;
/** An upper bound of event loop turns; more than the connections that can wait to be accepted. */
const MOST_TURNS = 5000;

/**
 * Returns the function that shuts the server down: idle connections close, responses in flight are sent, and whatever
 * takes longer than `drainMs` is cut. Node's own `close` destroys connections whose response was handed over but is not
 * sent yet.
 */
export function drainable(server: Server, observation: Observation, drainMs: number): () => Promise<void> {
  const connections = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted++;
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });

  return async () => {
    // Closing the port resets connections that wait to be accepted. A turn of the event loop accepts at most one.
    for (let [quiet, turns] = [0, 0]; quiet < QUIET_TURNS && turns < MOST_TURNS; turns++) {
      const acceptedBefore = accepted;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = accepted === acceptedBefore ? quiet + 1 : 0;
    }
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const received = new WeakMap<Socket, number>();
    const closeIdle = () => {
      const busy = new Set([...observation.inFlight.keys()].map(({ req }) => req.socket));
      for (const socket of connections) {
        // A connection that has sent nothing yet, or is sending right now, may be about to make a request.
        const isQuiet = socket.bytesRead > 0 && socket.bytesRead === received.get(socket);
        if (isQuiet && !busy.has(socket)) socket.destroy();
        received.set(socket, socket.bytesRead);
      }
    };
    let checksWithoutRequests = 0;
    const check = setInterval(() => {
      checksWithoutRequests = observation.inFlight.size === 0 ? checksWithoutRequests + 1 : 0;
      // A client that has connected without sending a request yet gets half a second.
      if (checksWithoutRequests > CHECKS_OF_SILENCE) server.closeAllConnections();
      else closeIdle();
    }, IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearInterval(check);
    clearTimeout(cut);
  };
}

/** Maps error codes of Node's parser; all other errors are malformed requests. */
const PARSER_PROBLEMS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem(431, "The request's head is too large."),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, "The request did not arrive in time."),
};

/**
 * Responds on the bare socket to request headers that Node's parser rejects. Returns undefined when the client has
 * disconnected.
 */
export function rejectMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  toErrorBody: ToErrorBody,
): { requestId: string; status: number; bytes: number } | undefined {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = PARSER_PROBLEMS[error.code ?? ""] ?? malformed();
  const requestId = requestIdFor(undefined);
  const { headers, body } = problemParts(problem, requestId, toErrorBody);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
  socket.end(text);
  return { requestId, status: problem.status, bytes: Buffer.byteLength(text) };
}
