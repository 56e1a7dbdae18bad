/** Error responses for requests that never reach the application. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { requestIdFor } from "../../telemetry/observation.ts";
import { Problem, problemParts } from "../../response/problem.ts";

/** Errors of Node's parser by code; all others are malformed requests. */
const PARSER_PROBLEMS: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem(431, "The request's head is too large."),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, "The request did not arrive in time."),
};
const MALFORMED = new Problem(400, "The request is malformed.");

/**
 * Responds on the bare socket to request headers that Node's parser rejects. Returns undefined when the client is gone.
 */
export function rejectMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  compat: boolean,
): { requestId: string; status: number; bytes: number } | undefined {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = PARSER_PROBLEMS[error.code ?? ""] ?? MALFORMED;
  const requestId = requestIdFor(undefined);
  const { headers, body } = problemParts(problem, requestId, compat);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
  socket.end(text);
  return { requestId, status: problem.status, bytes: Buffer.byteLength(text) };
}

/** Rejects a request before the application; by default it closes the connection. */
export function rejectRequest(
  response: ServerResponse,
  problem: Problem,
  { requestId, compat, isLast = true }: { requestId: string; compat: boolean; isLast?: boolean },
): void {
  const { headers, body } = problemParts(problem, requestId, compat);
  response.writeHead(problem.status, { ...headers, ...(isLast ? { Connection: "close" } : {}) });
  response.end(body);
}
