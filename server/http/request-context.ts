import type { H3Event } from "h3";
import type { RequestQuery } from "../response/query.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";
import type { CachedResponse } from "./kept.ts";

/** Data that accompanies a request through the server: created by the listener, passed on by h3 as `event.context`. */
export interface RequestContext {
  readonly log: RequestLogFields;
  /** True when the fields are logged once the response is sent; not set for requests from within the process. */
  readonly isObserved?: boolean;
  /** Caches a response for equal requests. */
  cache?: (response: CachedResponse | undefined) => void;
}

/** A parsed request to an endpoint. */
export interface EndpointRequest {
  readonly event: H3Event;
  readonly context: RequestContext;
  readonly now: Date;
  readonly query: RequestQuery;
}
