import type { ServerResponse } from "node:http";
import type { H3Event } from "h3";
import type { RequestQuery } from "../response/query.ts";
import type { AcquireLease } from "../snapshot/lease.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";

/** What accompanies a request through the server: the listener makes it, h3 hands it on as `event.context`. */
export interface RequestContext {
  readonly log: RequestLogFields;
  /** See `cacheKeyOf`; undefined for requests that did not come through the listener. */
  readonly cacheKey?: string;
  /** Sends the response and keeps it open: the application's response has only its headers. */
  takeOver?: (response: ServerResponse, headers: Headers) => void;
}

/** A request to an endpoint. */
export interface IncomingRequest {
  readonly event: H3Event;
  readonly context: RequestContext;
  readonly now: Date;
  readonly query: RequestQuery;
  /** Takes a further lease on the snapshot, for a body that is streamed. */
  readonly acquire: AcquireLease;
  /** For a request as of an earlier time: that time, whether a snapshot id was given, and the generation that retains the snapshot. */
  readonly asOf?: { readonly at: Date; readonly isId: boolean; readonly servedGeneration: number };
}
