/** Validates the Host header: a request has exactly one valid Host, except in HTTP/1.0 (RFC 9112 §3.2). */
import type { IncomingMessage } from "node:http";
import { Problem } from "../../response/problem.ts";
import type { Reject } from "./reject.ts";
import type { Middleware } from "./middleware.ts";

/** These follow RFC 3986 §3.2.2. An empty host is invalid in an http URL (RFC 9110 §4.2.1). */
const HOST_NAME = "(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})+";
const HOST_ADDRESS = "\\[[\\da-f:.]+(?:%25[\\w.~-]+)?\\]";
const VALID_HOST = new RegExp(`^(?:${HOST_NAME}|${HOST_ADDRESS})(?::\\d*)?$`, "i");

export const withValidHost =
  (reject: Reject): Middleware =>
  (exchange, next) => {
    const problem = hostProblem(exchange.request);
    if (problem) reject(exchange, problem);
    else next(exchange);
  };

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
