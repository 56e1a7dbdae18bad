/** What is known of a response before its data. */
import { asOfHeaders, freshnessOf } from "../response/as-of.ts";
import { chooseEncoding, type Encoding } from "../response/encoding/encoding.ts";
import type { Endpoint, EndpointContext, LiveSchedule } from "../response/endpoint.ts";
import { commonHeaders, entityTags, type Fresh, freshHeaders, JSON_TYPE, toFresh } from "../response/headers.ts";
import { appliedPreference } from "../response/prefer.ts";
import { normalizedQuery, readId } from "../response/query.ts";
import type { Pool } from "../duckdb/pool.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import type { IncomingRequest } from "./request-context.ts";
import { bodyVersion } from "./body-cache.ts";

export interface Plan {
  readonly endpoint: Endpoint;
  readonly snapshot: Snapshot;
  readonly request: IncomingRequest;
  readonly context: EndpointContext;
  /** What the client accepts. */
  readonly encoding: Encoding;
  /** Of a 200; filled in, because copying costs more than the rest. */
  readonly headers: Record<string, string>;
  /** From the upstream. */
  readonly isLive: boolean;
  /** Undefined for live results and explanations, which are made for each request. */
  readonly cacheable: Cacheable | undefined;
}

export interface Cacheable {
  /** Of the body. */
  readonly key: string;
  /** Of the rows of a file, which concurrent requests share. */
  readonly rowsKey: string;
  readonly tag: (encoding: Encoding) => string;
  /** The entity tags that clients may have received. */
  readonly tags: readonly string[];
  readonly fresh: Fresh;
}

export interface PlanParts {
  readonly store: Store;
  readonly pool: Pool;
  /** Undefined = the upstream is never asked. */
  readonly live: LiveSchedule | undefined;
  readonly compat: boolean;
  /** The path prefix of the installation. */
  readonly base?: string;
}

export function plan(parts: PlanParts, endpoint: Endpoint, snapshot: Snapshot, request: IncomingRequest): Plan {
  const { event, query } = request;
  const wraps = parts.compat && query.format === "json";
  const context = contextOf(parts, endpoint, snapshot, request, wraps);
  const isLive = endpoint.live?.isAsked(query.values, snapshot) ?? false;
  // Parquet is compressed inside.
  const encoding = query.format === "parquet" ? "identity" : chooseEncoding(event.req.headers.get("accept-encoding"));
  const headers = dataHeaders(snapshot, request);
  const planned = { endpoint, snapshot, request, context, encoding, headers, isLive };
  if (!isLive && query.explainedUrl === undefined) return { ...planned, cacheable: toCacheable(planned, wraps) };
  headers["Cache-Control"] = "no-store";
  return { ...planned, cacheable: undefined };
}

function contextOf(
  { store, pool, live, base = "/" }: PlanParts,
  endpoint: Endpoint,
  snapshot: Snapshot,
  { event, now, asOf }: IncomingRequest,
  wraps: boolean,
): EndpointContext {
  return {
    snapshot: (wraps && snapshot.compat) || snapshot,
    compat: wraps,
    pool,
    freshness: asOf ? freshnessOf(store.freshness()) : store.freshness(),
    history: store.history,
    live,
    id: readId(endpoint, event),
    now: asOf?.at ?? now,
    base,
    // Not a getter: an object with one has a shape of its own, which makes every use of it slow.
    signal: () => event.req.signal,
  };
}

function dataHeaders(snapshot: Snapshot, { context, query: { strict } }: IncomingRequest): Record<string, string> {
  const headers = commonHeaders(context.log.requestId);
  headers["Content-Type"] = JSON_TYPE;
  headers["X-Data-Snapshot"] = snapshot.id;
  headers["Vary"] = "Accept-Encoding, Accept, Prefer";
  if (strict) Object.assign(headers, appliedPreference(strict));
  return headers;
}

/** Adds the headers of freshness. */
function toCacheable(
  { endpoint, snapshot, request, context, encoding, headers }: Omit<Plan, "cacheable">,
  wraps: boolean,
): Cacheable {
  const { asOf, now, query } = request;
  const { values, page, fields, format } = query;
  const period = endpoint.period?.(values, context.now);
  const readsMore = Object.keys(values).some((name) => endpoint.params[name]?.reads !== undefined);
  const normalized = normalizedQuery(
    endpoint.path,
    endpoint.id?.key?.(context.id) ?? context.id,
    // With COMPAT=1 the same request has another body, and so another tag.
    {
      ...values,
      ...page,
      ...(fields ? { fields } : {}),
      ...(format === "json" ? {} : { format }),
      ...(wraps ? { compat: true } : {}),
    },
    period?.name ?? "",
    endpoint.params,
  );
  const fresh = toFresh(endpoint, values, context, period);
  Object.assign(headers, asOf ? asOfHeaders(fresh, now, asOf.isId) : freshHeaders(fresh, now));
  const tag = entityTags(snapshot.id, normalized, wraps);
  return {
    // Envelopes differ between responses: only the payload is cached.
    // A calendar file and a feed tell of their snapshot.
    key: `${bodyVersion(endpoint, snapshot, wraps || format === "ics" || format === "atom" || readsMore)} ${wraps ? "payload" : encoding} ${normalized}`,
    rowsKey: `${snapshot.id} ${normalized}`,
    tag,
    tags: [tag(encoding), tag("identity")],
    fresh,
  };
}
