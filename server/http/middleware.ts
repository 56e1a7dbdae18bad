/**
 * A middleware handles raw Node requests in front of h3 and depends on no other. To add one, write a file and a line in
 * `chain.ts`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../response/problem.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: RequestLogFields;
}

export type Next = (exchange: Exchange) => void;

/** Responds, or calls `next` with the same exchange. */
export type Middleware = (exchange: Exchange, next: Next) => void;

/**
 * Sends an error response to a request that does not reach the application. Closes the connection unless told to keep
 * it.
 */
export type Reject = (
  exchange: Pick<Exchange, "response" | "log">,
  problem: Problem,
  options?: { readonly keepsConnection: boolean },
) => void;
