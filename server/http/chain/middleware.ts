/** Middleware on raw Node requests, in front of h3. No middleware depends on another. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestContext } from "../request-context.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
}

type Next = (exchange: Exchange) => void;

/** Responds, or calls `next` with the same exchange. */
export type Middleware = (exchange: Exchange, next: Next) => void;

/** Chains middlewares in the given order; the last one must respond. */
export const compose = (middlewares: readonly Middleware[]): Next =>
  middlewares.reduceRight<Next>(
    (next, middleware) => (exchange) => middleware(exchange, next),
    () => undefined,
  );
