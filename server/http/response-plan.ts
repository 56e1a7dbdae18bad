/** What is known of a response before its data. */
import type { H3Event, HTTPEvent } from "h3";
import { poolFor } from "../duckdb/client-pool.ts";
import { chooseEncoding, type Encoding } from "../response/encoding/encoding.ts";
import { BASE, type Endpoint, type EndpointContext } from "../response/endpoint.ts";
import { commonHeaders, entityTags, type Fresh, JSON_TYPE, toFresh } from "../response/headers.ts";
import { appliedPreference } from "../response/prefer.ts";
import { normalizedQuery, readId } from "../response/query.ts";
import type { History } from "../snapshot/history.ts";
import { bodyVersion } from "./body-cache.ts";
import type { Moment } from "./moments/moment.ts";
import type { EndpointRequest } from "./request-context.ts";

/** Where clients find this installation. */
export interface Installed {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** The address as the client of a request wrote it, with the prefix. */
  readonly addressOf: (event: H3Event) => string;
  /** The headers that `addressOf` reads, for `Vary`. */
  readonly addressHeaders: string;
  /** The client that a request counts for. */
  readonly clientOf: (event: H3Event) => string;
}

export interface Plan {
  readonly request: EndpointRequest;
  readonly moment: Moment;
  readonly context: EndpointContext;
  /** What the client accepts. */
  readonly encoding: Encoding;
  /** Of a 200; filled in, because copying costs more than the rest. */
  readonly headers: Record<string, string>;
  /** From the upstream. */
  readonly isLive: boolean;
  /** Undefined for what is made for each request. */
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

/** The entity tag of bytes that differ between equal responses is weak. */
export function plan(
  request: EndpointRequest,
  moment: Moment,
  history: History,
  { base, addressOf, addressHeaders, clientOf }: Installed,
): Plan {
  const { event, query } = request;
  const { endpoint, representation, values } = query;
  const { snapshot } = moment;
  // Not a getter: an object with one has a shape of its own, which makes every use of it slow.
  const signal = () => event.req.signal;
  const client = () => clientOf(event);
  const context: EndpointContext = {
    snapshot,
    pool: poolFor(moment.pool, { signal, name: client }),
    freshness: moment.freshness,
    history,
    live: moment.live,
    id: readId(endpoint, event),
    now: moment.now,
    base,
    address: () => addressOf(event),
    signal,
    client,
  };
  const isLive = endpoint.live?.isAsked(values, snapshot) ?? false;
  const encoding = representation.isCompressed ? "identity" : acceptedEncoding(event);
  const headers = commonHeaders(request.context.log.requestId);
  headers["Content-Type"] = JSON_TYPE;
  headers["X-Data-Snapshot"] = snapshot.id;
  headers["Vary"] = "Accept-Encoding, Accept, Prefer";
  if (representation.namesAddress) headers["Vary"] += `, ${addressHeaders}`;
  if (query.strict) Object.assign(headers, appliedPreference(true));
  const other = endpoint.standsFor?.(context.id, snapshot);
  if (other !== undefined) headers["Content-Location"] = addressOfId(endpoint, other, base) + event.url.search;
  if (isLive || representation.dependsOn === "request") {
    headers["Cache-Control"] = "no-store";
    return { request, moment, context, encoding, headers, isLive, cacheable: undefined };
  }
  const cacheable = toCacheable(request, moment, context, encoding);
  Object.assign(headers, moment.headers(cacheable.fresh));
  return { request, moment, context, encoding, headers, isLive, cacheable };
}

const addressOfId = ({ path }: Endpoint, id: string, base: string): string =>
  `${base}${BASE.slice(1)}${path.replace(":id", () => encodeURIComponent(id))}`;

const acceptedEncoding = ({ req }: HTTPEvent): Encoding => chooseEncoding(req.headers.get("accept-encoding"));

function toCacheable(
  { query }: EndpointRequest,
  { snapshot }: Moment,
  context: EndpointContext,
  encoding: Encoding,
): Cacheable {
  const { endpoint, values, page, fields, representation } = query;
  const period = endpoint.period?.(values, context.now);
  const readsMore = Object.keys(values).some((name) => endpoint.params[name]?.reads !== undefined);
  const normalized = normalizedQuery(
    endpoint.path,
    endpoint.id?.key?.(context.id) ?? context.id,
    {
      ...values,
      ...page,
      ...(fields ? { fields } : {}),
      ...(representation.namesAddress ? { address: context.address() } : {}),
      ...representation.marks,
    },
    period?.name ?? "",
    endpoint.params,
  );
  const isFramed = representation.frame !== undefined;
  const tag = entityTags(snapshot.id, normalized, isFramed);
  const version = bodyVersion(endpoint, snapshot, representation.dependsOn === "snapshot" || readsMore);
  return {
    // Frames differ between responses: only what is inside is cached.
    key: `${version} ${isFramed ? "payload" : encoding} ${normalized}`,
    rowsKey: `${snapshot.id} ${normalized}`,
    tag,
    tags: [tag(encoding), tag("identity")],
    fresh: toFresh(endpoint, values, context, period),
  };
}
