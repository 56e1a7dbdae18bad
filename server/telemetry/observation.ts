/** Counts and logs every request once: after the last byte, or when the client disconnects. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";
import type { Log } from "../../pipeline/log.ts";
import type { CacheResult, Metrics } from "./metrics.ts";

/** Log fields that are filled in while the response is built. */
export interface RequestLogFields {
  readonly requestId: string;
  /** The trace that the client claims to belong to (W3C Trace Context); logged, but never sent to clients. */
  readonly traceId?: string | undefined;
  /** The pattern of the matched route: a bounded set, whatever URLs clients send. */
  route: string;
  cache?: CacheResult | undefined;
  rows?: number | undefined;
  /** The cause of a failure; logged, but never sent to clients. */
  cause?: string | undefined;
}

export interface RequestSummary extends RequestLogFields {
  readonly method: string;
  readonly address: string;
  /** The status; 499 when the client disconnected early. */
  readonly status: number;
  /** The time in milliseconds from parsed request headers to the last byte. */
  readonly ms: number;
  /** The bytes on the wire, headers included. */
  readonly bytes: number;
}

export type Observation = ReturnType<typeof createObservation>;

interface InFlightRequest {
  readonly fields: RequestLogFields;
  /** A time of `performance.now()`. */
  readonly began: number;
  /** The bytes written to the connection before this response. */
  readonly bytesBefore: number;
}

/** The route of requests that no route handles. */
export const OTHER_ROUTE = "other";
const CLIENT_CLOSED_REQUEST = 499;
const SLOW_MS = 1000;
const LONGEST_ADDRESS = 500;
export const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * A prefix per process and a counter form a request id: a random UUID per request costs more than the rest of its
 * observation.
 */
const PREFIX = randomUUID().slice(0, -12);
let count = 0;

/** A header as Node or as fetch has it. */
type Header = string | readonly string[] | null | undefined;

/** Returns the client's id if it is valid, such as one set by a proxy; else a new id. */
export function requestIdFor(received: Header): string {
  return typeof received === "string" && VALID_REQUEST_ID.test(received)
    ? received
    : `${PREFIX}${(count++).toString(16).padStart(12, "0")}`;
}

const TRACE_PARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** Returns the trace id of a valid `traceparent`; a version above 00 may have further fields. */
export function traceIdIn(traceparent: Header): string | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [, version, traceId, more] = TRACE_PARENT.exec(traceparent) ?? [];
  return version === "00" && more !== undefined ? undefined : traceId;
}

const createLogFields = (received: Header, traceparent: Header): RequestLogFields => ({
  // Set all fields from the start: objects with the same hidden class are faster on this hot path.
  requestId: requestIdFor(received),
  traceId: traceIdIn(traceparent),
  route: OTHER_ROUTE,
  cache: undefined,
  rows: undefined,
  cause: undefined,
});

/** Returns the log fields of an event; requests from within the process get new ones. */
export function logFieldsOf({ req, context }: H3Event): RequestLogFields {
  const holder = context as { log?: RequestLogFields };
  return (holder.log ??= createLogFields(req.headers.get("x-request-id"), req.headers.get("traceparent")));
}

export function createObservation({
  metrics,
  log,
  logsAll = true,
}: {
  metrics: Pick<Metrics, "countRequest">;
  log: Log;
  /** True if ordinary requests are logged; otherwise their lines are not even built. */
  logsAll?: boolean;
}) {
  const inFlight = new Map<ServerResponse, InFlightRequest>();

  function record(request: RequestSummary): void {
    metrics.countRequest(request);
    if (request.status >= 500) log.error("request failed", toLogFields(request));
    else if (request.ms > SLOW_MS) log.warn("a slow response", toLogFields(request));
    else if (logsAll) log.debug("request", toLogFields(request));
  }

  function end(response: ServerResponse, isReleased = false): void {
    const entry = inFlight.get(response);
    if (!entry || !inFlight.delete(response)) return;
    const { fields, began, bytesBefore } = entry;
    const request = response.req;
    const sent = {
      method: request.method ?? "",
      address: request.url ?? "",
      status: response.writableFinished || isReleased ? response.statusCode : CLIENT_CLOSED_REQUEST,
      ms: performance.now() - began,
      bytes: request.socket.bytesWritten - bytesBefore,
    };
    // V8 takes 10 µs for an object with properties after a spread, which is a tenth of a cached response.
    record(Object.assign(sent, fields));
  }
  /** Ends a request; a single listener for all responses, called with the response as `this`. */
  function onClose(this: ServerResponse): void {
    end(this);
  }

  return {
    inFlight: inFlight as ReadonlyMap<ServerResponse, InFlightRequest>,
    record,
    begin(request: IncomingMessage, response: ServerResponse): RequestLogFields {
      const fields = createLogFields(request.headers["x-request-id"], request.headers["traceparent"]);
      inFlight.set(response, { fields, began: performance.now(), bytesBefore: request.socket.bytesWritten });
      // Emitted after the last byte, and also when the connection breaks.
      response.on("close", onClose);
      return fields;
    },
    /** Records a response that stays open, as if it were complete. */
    release: (response: ServerResponse) => end(response, true),
  };
}

const toLogFields = ({ ms, address, ...fields }: RequestSummary) => ({
  ...fields,
  ms: Math.round(ms * 10) / 10,
  address: address.slice(0, LONGEST_ADDRESS),
});
