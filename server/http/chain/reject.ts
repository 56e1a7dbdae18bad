/** Error responses to requests that do not reach the application. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { malformed, Problem, problemParts, type ToErrorBody } from "../../response/problem.ts";
import { requestIdFor } from "../../telemetry/observation.ts";
import type { Exchange } from "./middleware.ts";

/** Sends an error response. Closes the connection unless `isLast` is false. */
export type Reject = (
  exchange: Pick<Exchange, "response" | "context">,
  problem: Problem,
  options?: { readonly isLast: boolean },
) => void;

export const createReject =
  (toErrorBody: ToErrorBody): Reject =>
  ({ response, context }, problem, { isLast } = { isLast: true }) => {
    const { headers, body } = problemParts(problem, context.log.requestId, toErrorBody);
    response.writeHead(problem.status, { ...headers, ...(isLast ? { Connection: "close" } : {}) });
    response.end(body);
  };

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
