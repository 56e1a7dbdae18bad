/**
 * What is known of every answered request, told once, when the last byte has gone out or the client has hung up. Whoever answers, h3 or a
 * shortcut before it, writes what it alone knows on the request's note.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../pipeline/log.ts";
import type { CacheUse, Metrics } from "./metrics.ts";
import { requestIdFor } from "./request-id.ts";

/** What the answering side knows of a request. */
export interface RequestLogFields {
  readonly requestId: string;
  cache?: CacheUse | undefined;
  /** Rows in the body, where they were counted. */
  rows?: number | undefined;
  /** Why it failed, for the log; never for the client. */
  cause?: string | undefined;
}

export interface RequestSummary extends RequestLogFields {
  readonly method: string;
  readonly route: string;
  /** As the client sent it. */
  readonly address: string;
  /** 499 when the client hung up before the end. */
  readonly status: number;
  /** From the parsed head to the last byte. */
  readonly ms: number;
  /** On the wire, the head included. */
  readonly bytes: number;
}

export interface Observing {
  /** Begins a request and tells of it when it is over. */
  begin(request: IncomingMessage, response: ServerResponse): RequestLogFields;
  observe(seen: RequestSummary): void;
  /** Answers that have not ended yet, and since when they are asked for (a time of `performance.now()`). */
  readonly underWay: ReadonlyMap<ServerResponse, { readonly began: number }>;
  /** Ends those whose connection broke before it was their turn on it: nothing else tells of them. */
  forgetDead(): void;
}

interface InFlightRequest {
  readonly note: RequestLogFields;
  /** A time of `performance.now()`. */
  readonly began: number;
  /** Bytes that the connection had carried by then. */
  readonly before: number;
}

export const HUNG_UP = 499;
/** A slower answer is worth a line. */
const SLOW_MS = 1000;
/** A line stays readable. */
const LONGEST_ADDRESS = 500;

export function createObserving({
  metrics,
  log,
  routeOf,
  tellsAll = true,
}: {
  metrics: Metrics;
  log: Log;
  routeOf: (target: string) => string;
  /** Whether the log hears of ordinary requests: else they are not even put into words. */
  tellsAll?: boolean;
}): Observing {
  const underWay = new Map<ServerResponse, InFlightRequest>();

  function observe(seen: RequestSummary): void {
    metrics.observe(seen);
    if (seen.status >= 500) log.error("a request failed", toFigures(seen));
    else if (seen.ms > SLOW_MS) log.warn("a slow answer", toFigures(seen));
    else if (tellsAll) log.debug("answered", toFigures(seen));
  }

  function end(response: ServerResponse): void {
    const begun = underWay.get(response);
    if (!begun || !underWay.delete(response)) return;
    const { note, began, before } = begun;
    const request = response.req;
    const address = request.url ?? "";
    observe({
      requestId: note.requestId,
      cache: note.cache,
      rows: note.rows,
      cause: note.cause,
      method: request.method ?? "",
      route: routeOf(address),
      address,
      status: response.writableFinished ? response.statusCode : HUNG_UP,
      ms: performance.now() - began,
      bytes: request.socket.bytesWritten - before,
    });
  }
  /** One function for all responses: it is called with each as `this`. */
  function ended(this: ServerResponse): void {
    end(this);
  }

  return {
    underWay,
    observe,
    begin(request, response) {
      // Every field from the beginning, and no spread: this is on the way of every answer.
      const note: RequestLogFields = {
        requestId: requestIdFor(request.headers["x-request-id"]),
        cache: undefined,
        rows: undefined,
        cause: undefined,
      };
      underWay.set(response, { note, began: performance.now(), before: request.socket.bytesWritten });
      // Comes after the last byte was handed on, and also when the connection breaks.
      response.on("close", ended);
      return note;
    },
    forgetDead() {
      for (const response of underWay.keys()) if (response.req.socket.destroyed) end(response);
    },
  };
}

const toFigures = ({ requestId, method, route, status, ms, bytes, rows, cache, cause, address }: RequestSummary) => ({
  requestId,
  method,
  route,
  status,
  ms: Math.round(ms * 10) / 10,
  bytes,
  rows,
  cache,
  cause,
  address: address.slice(0, LONGEST_ADDRESS),
});
