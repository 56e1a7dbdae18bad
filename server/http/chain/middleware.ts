/** What a request passes on its way to the application. None of it knows another. */
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

/** One after the other; the last one responds. */
export const compose = (middlewares: readonly Middleware[]): Next =>
  middlewares.reduceRight<Next>(
    (next, middleware) => (exchange) => middleware(exchange, next),
    () => undefined,
  );
