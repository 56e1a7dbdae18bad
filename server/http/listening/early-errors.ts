/** Error responses for requests that never reach the application. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { requestIdFor } from "../../telemetry/observation.ts";
import { Problem, problemParts, type ToErrorBody } from "../../response/problem.ts";

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
  toErrorBody: ToErrorBody,
): { requestId: string; status: number; bytes: number } | undefined {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = PARSER_PROBLEMS[error.code ?? ""] ?? MALFORMED;
  const requestId = requestIdFor(undefined);
  const { headers, body } = problemParts(problem, requestId, toErrorBody);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
  socket.end(text);
  return { requestId, status: problem.status, bytes: Buffer.byteLength(text) };
}

/** Rejects a request before the application; by default it closes the connection. */
export function rejectRequest(
  response: ServerResponse,
  problem: Problem,
  { requestId, toErrorBody, isLast = true }: { requestId: string; toErrorBody: ToErrorBody; isLast?: boolean },
): void {
  const { headers, body } = problemParts(problem, requestId, toErrorBody);
  response.writeHead(problem.status, { ...headers, ...(isLast ? { Connection: "close" } : {}) });
  response.end(body);
}

/** RFC 3986 §3.2.2. Empty is invalid in an http URL (RFC 9110 §4.2.1). */
const HOST_NAME = "(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})+";
const HOST_ADDRESS = "\\[[\\da-f:.]+(?:%25[\\w.~-]+)?\\]";
const VALID_HOST = new RegExp(`^(?:${HOST_NAME}|${HOST_ADDRESS})(?::\\d*)?$`, "i");

/** Why a request is rejected (400) for its Host header: it must be exactly one that is valid, except in HTTP/1.0 (RFC 9112 §3.2). */
export function hostProblem({ headers, httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
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
