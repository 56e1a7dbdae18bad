import type { H3Event } from "h3";
import type { RequestQuery } from "../response/query.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";
import type { Kept } from "./kept.ts";

/** What accompanies a request through the server: the listener makes it, h3 hands it on as `event.context`. */
export interface RequestContext {
  readonly log: RequestLogFields;
  /** Whether the fields are logged when the response is sent: not those of a request within the process. */
  readonly isObserved?: boolean;
  /** Takes a response that equal requests may get too. */
  keep?: (response: Kept | undefined) => void;
}

/** A request to an endpoint. */
export interface EndpointRequest {
  readonly event: H3Event;
  readonly context: RequestContext;
  readonly now: Date;
  readonly query: RequestQuery;
}
