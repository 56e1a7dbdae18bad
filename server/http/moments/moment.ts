/** A snapshot at the time that a request asks about, with everything in the response that depends on that time. */
import type { HTTPResponse } from "h3";
import type { Freshness } from "../../../pipeline/contract/documents/manifest.ts";
import type { Pool } from "../../duckdb/pool.ts";
import type { Endpoint, LiveSchedule } from "../../response/endpoint.ts";
import type { Fresh } from "../../response/headers.ts";
import type { AcquireLease } from "../../snapshot/lease.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { BodyCache } from "../body-cache.ts";
import type { EndpointRequest } from "../request-context.ts";
import type { Life } from "../kept.ts";

export interface Moment {
  readonly snapshot: Snapshot;
  /** Takes another lease on the snapshot, for a body that is streamed. */
  readonly acquire: AcquireLease;
  readonly pool: Pool;
  readonly freshness: Freshness;
  /** Undefined = the upstream is never queried. */
  readonly live: LiveSchedule | undefined;
  readonly now: Date;
  /** The cache for bodies of its snapshots. */
  readonly bodies: BodyCache;
  /** The snapshot whose values are used to warn about unknown ones. */
  readonly known: Snapshot;
  /** Returns Last-Modified, Cache-Control and related headers. */
  readonly headers: (fresh: Fresh) => Record<string, string>;
  /** Returns undefined when the response must not be cached. */
  readonly life: (fresh: Fresh) => Life | undefined;
}

/** Finds the snapshot of a request and calls `use` with it. @throws Problem (404, 503) and errors of `use` */
export type WithMoment = (
  endpoint: Endpoint,
  request: EndpointRequest,
  use: (moment: Moment) => Promise<HTTPResponse>,
) => Promise<HTTPResponse>;
