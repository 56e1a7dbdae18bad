/** Prepares what is known of a response before its data: headers, entity tags and cache keys. */
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

/** How clients reach this installation. */
export interface Installed {
  /** The path prefix, with a slash at both ends. */
  readonly base: string;
  /** Returns the address as the client of a request wrote it, with the prefix. */
  readonly addressOf: (event: H3Event) => string;
  /** Names the headers that `addressOf` reads, for `Vary`. */
  readonly addressHeaders: string;
  /** Returns the client that a request is counted for. */
  readonly clientOf: (event: H3Event) => string;
}

export interface ResponseHead {
  readonly request: EndpointRequest;
  readonly moment: Moment;
  readonly context: EndpointContext;
  /** The encoding that the client accepts. */
  readonly encoding: Encoding;
  /** The headers of a 200; filled in place, because copying costs more than all the rest. */
  readonly headers: Record<string, string>;
  /** True when the data comes from the upstream. */
  readonly isLive: boolean;
  /** Undefined when the body is rendered for each request. */
  readonly cacheable: Cacheable | undefined;
}

export interface Cacheable {
  /** The key of the body. */
  readonly key: string;
  /** The key of the rows of a file, which concurrent requests share. */
  readonly rowsKey: string;
  readonly tag: (encoding: Encoding) => string;
  /** The entity tags that clients may have received. */
  readonly tags: readonly string[];
  readonly fresh: Fresh;
}

/** Prepares a response. Its entity tag is weak if bytes differ between equal responses. */
export function toResponseHead(
  request: EndpointRequest,
  moment: Moment,
  history: History,
  { base, addressOf, addressHeaders, clientOf }: Installed,
): ResponseHead {
  const { event, query } = request;
  const { endpoint, representation, values } = query;
  const { snapshot } = moment;
  // A getter would give the object its own hidden class, which makes every use of it slow.
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
  const canonicalId = endpoint.standsFor?.(context.id, snapshot);
  if (canonicalId !== undefined)
    headers["Content-Location"] = addressOfId(endpoint, canonicalId, base) + event.url.search;
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
      ...representation.cacheKeyParts,
    },
    period?.name ?? "",
    endpoint.params,
  );
  const hasEnvelope = representation.envelope !== undefined;
  const tag = entityTags(snapshot.id, normalized, hasEnvelope);
  const version = bodyVersion(endpoint, snapshot, representation.dependsOn === "snapshot" || readsMore);
  return {
    // Envelopes differ between responses, so only the payload is cached.
    key: `${version} ${hasEnvelope ? "payload" : encoding} ${normalized}`,
    rowsKey: `${snapshot.id} ${normalized}`,
    tag,
    tags: [tag(encoding), tag("identity")],
    fresh: toFresh(endpoint, values, context, period),
  };
}
