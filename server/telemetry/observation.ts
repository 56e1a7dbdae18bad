/** Counts and logs every request once: after the last byte, or when the client disconnects. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../pipeline/log.ts";
import type { CacheResult, Metrics } from "./metrics.ts";
import { requestIdFor } from "./request-id.ts";

/** Filled in while the response is made. */
export interface RequestLogFields {
  readonly requestId: string;
  cache?: CacheResult | undefined;
  rows?: number | undefined;
  /** Why it failed: for the log, never for the client. */
  cause?: string | undefined;
}

export interface RequestSummary extends RequestLogFields {
  readonly method: string;
  readonly route: string;
  readonly address: string;
  /** 499 when the client disconnected early. */
  readonly status: number;
  /** From parsed request headers to the last byte. */
  readonly ms: number;
  /** On the wire, headers included. */
  readonly bytes: number;
}

export interface Observation {
  begin(request: IncomingMessage, response: ServerResponse): RequestLogFields;
  record(request: RequestSummary): void;
  /** Unfinished responses; `began` is a time of `performance.now()`. */
  readonly inFlight: ReadonlyMap<ServerResponse, { readonly began: number }>;
  /** Records a response that stays open, as if it were complete. */
  release(response: ServerResponse): void;
  /** Ends pipelined responses whose connection broke before their turn: Node emits no event for them. */
  endDisconnected(): void;
}

interface InFlightRequest {
  readonly fields: RequestLogFields;
  readonly began: number;
  /** Bytes written to the connection before this response. */
  readonly bytesBefore: number;
}

export const CLIENT_CLOSED_REQUEST = 499;
const SLOW_MS = 1000;
const LONGEST_ADDRESS = 500;

export function createObservation({
  metrics,
  log,
  routeOf,
  logsAll = true,
}: {
  metrics: Metrics;
  log: Log;
  routeOf: (target: string) => string;
  /** Whether ordinary requests are logged; else their lines are not even built. */
  logsAll?: boolean;
}): Observation {
  const inFlight = new Map<ServerResponse, InFlightRequest>();

  function record(request: RequestSummary): void {
    metrics.observeRequest(request);
    if (request.status >= 500) log.error("request failed", toLogFields(request));
    else if (request.ms > SLOW_MS) log.warn("a slow response", toLogFields(request));
    else if (logsAll) log.debug("request", toLogFields(request));
  }

  function end(response: ServerResponse, isReleased = false): void {
    const entry = inFlight.get(response);
    if (!entry || !inFlight.delete(response)) return;
    const { fields, began, bytesBefore } = entry;
    const request = response.req;
    const address = request.url ?? "";
    record({
      requestId: fields.requestId,
      cache: fields.cache,
      rows: fields.rows,
      cause: fields.cause,
      method: request.method ?? "",
      route: routeOf(address),
      address,
      status: response.writableFinished || isReleased ? response.statusCode : CLIENT_CLOSED_REQUEST,
      ms: performance.now() - began,
      bytes: request.socket.bytesWritten - bytesBefore,
    });
  }
  /** One listener for all responses, called with the response as `this`. */
  function onClose(this: ServerResponse): void {
    end(this);
  }

  return {
    inFlight,
    record,
    begin(request, response) {
      // All fields from the start: objects of one shape are faster on this hot path.
      const fields: RequestLogFields = {
        requestId: requestIdFor(request.headers["x-request-id"]),
        cache: undefined,
        rows: undefined,
        cause: undefined,
      };
      inFlight.set(response, { fields, began: performance.now(), bytesBefore: request.socket.bytesWritten });
      // Emitted after the last byte, and also when the connection breaks.
      response.on("close", onClose);
      return fields;
    },
    release: (response) => end(response, true),
    endDisconnected() {
      for (const response of inFlight.keys()) if (response.req.socket.destroyed) end(response);
    },
  };
}

const toLogFields = ({ requestId, method, route, status, ms, bytes, rows, cache, cause, address }: RequestSummary) => ({
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
