/** The snapshot that a request asks about, and what of its response follows from when that is. */
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
  /** Takes a further lease on it, for a body that is streamed. */
  readonly acquire: AcquireLease;
  readonly pool: Pool;
  readonly freshness: Freshness;
  /** Undefined = the upstream is never asked. */
  readonly live: LiveSchedule | undefined;
  readonly now: Date;
  /** Those of its snapshots. */
  readonly bodies: BodyCache;
  /** The one that knows which values there are. */
  readonly known: Snapshot;
  /** Last-Modified, Cache-Control and what goes with them. */
  readonly headers: (fresh: Fresh) => Record<string, string>;
  /** Undefined = the response is not kept. */
  readonly life: (fresh: Fresh) => Life | undefined;
}

/** @throws Problem (404, 503) and what `use` throws */
export type WithMoment = (
  endpoint: Endpoint,
  request: EndpointRequest,
  use: (moment: Moment) => Promise<HTTPResponse>,
) => Promise<HTTPResponse>;
