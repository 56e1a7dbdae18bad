/** Two caches: encoded bodies by the version of their data, and finished responses by exact request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { type EncodedBody, type Encoding, MAX_WHOLE_BYTES } from "../response/encoding.ts";
import type { Freshness } from "../../pipeline/contract/documents/manifest.ts";
import type { Endpoint, EndpointContext } from "../response/endpoint.ts";
import { type AsOf, cacheControl, conditional, entityTags, type Fresh, toFresh } from "../response/headers.ts";
import { isStrict, STRICT } from "../response/negotiation.ts";
import { type EndpointRequest, normalizedQuery } from "../response/query.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import type { RequestLogFields } from "../telemetry/observation.ts";

/**
 * Returns the version of the data that a body depends on: that of the endpoint's tables, or the id of the whole
 * snapshot.
 */
export const bodyVersion = (
  { isOfSnapshot = false, tables }: Endpoint,
  { id, versions }: Snapshot,
  hasFurtherTables: boolean,
): string => (isOfSnapshot || hasFurtherTables ? id : tables.map((table) => versions[table]).join("-"));

/** Returns the versions of all bodies that a snapshot can have. */
export const bodyVersions = (endpoints: readonly Endpoint[], snapshot: Snapshot): ReadonlySet<string> =>
  new Set([snapshot.id, ...endpoints.map((endpoint) => bodyVersion(endpoint, snapshot, false))]);

/** The key and the tags by which a response is cached and validated. */
export interface Cacheable {
  /** The key of the body. */
  readonly key: string;
  /** The key of the rows of a file, which concurrent requests share. */
  readonly rowsKey: string;
  /** The entity tags that clients may have received. */
  readonly tags: readonly string[];
  readonly tag: (encoding: Encoding) => string;
  readonly fresh: Fresh;
}

/** Entity tags are weak if bytes differ between equal responses. */
export function toCacheable(
  request: EndpointRequest,
  context: EndpointContext & { readonly asOf: AsOf },
  encoding: Encoding,
): Cacheable {
  const { endpoint, values, page, fields, representation } = request;
  const { snapshot, id, now, asOf } = context;
  const period = endpoint.period?.(values, now);
  const readsMore = Object.keys(values).some((name) => endpoint.params[name]?.reads !== undefined);
  const hasEnvelope = representation.envelope !== undefined;
  const normalized = normalizedQuery(
    endpoint.path,
    endpoint.id?.key?.(id) ?? id,
    Object.assign(
      {},
      values,
      page,
      fields && { fields },
      representation.namesAddress && { address: context.address() },
      representation.name !== "json" && { format: representation.name },
      hasEnvelope && { compat: true },
    ),
    period?.name ?? "",
    endpoint.params,
  );
  const tag = entityTags(snapshot.id, normalized, hasEnvelope);
  const version = bodyVersion(endpoint, snapshot, representation.dependsOn === "snapshot" || readsMore);
  return {
    // Envelopes differ between responses, so only the payload is cached.
    key: `${version} ${hasEnvelope ? `payload of ${encoding === "gzip" ? encoding : "any"}` : encoding} ${normalized}`,
    rowsKey: `${snapshot.id} ${normalized}`,
    tag,
    tags: [tag(encoding), tag("identity")],
    fresh: toFresh(endpoint, values, context, period, asOf),
  };
}

const MAX_BODY_BYTES = 4 * MAX_WHOLE_BYTES;

export type BodyCache = ReturnType<typeof createBodyCache>;

/** Caches encoded bodies. A key begins with the version of the data and determines the body: none is ever stale. */
export function createBodyCache(maxBytes = MAX_BODY_BYTES) {
  const bodies = new LRUCache<string, EncodedBody>({
    maxSize: maxBytes,
    maxEntrySize: maxBytes / 4,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 500,
  });
  return {
    find: (key: string): EncodedBody | undefined => bodies.get(key),
    set: (key: string, body: EncodedBody): void => void bodies.set(key, body),
    /** Drops the bodies of all other versions. */
    retain(versions: ReadonlySet<string>): void {
      for (const key of bodies.keys()) if (!versions.has(key.slice(0, key.indexOf(" ")))) bodies.delete(key);
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/**
 * A finished response that can be replayed to equal requests while a snapshot is served. It outlives its request, so it
 * holds nothing of the request or of the snapshot.
 */
export interface CachedResponse extends Pick<Cacheable, "key" | "tags" | "fresh"> {
  /** The number of the served snapshot. */
  readonly generation: number;
  /** The freshness that `fresh` is made of; undefined for a response that never changes. */
  readonly freshness: Freshness | undefined;
  /** The time of the response, in milliseconds. */
  readonly since: number;
  readonly route: string;
  readonly notModified: Headers;
  /** The headers of the 200; undefined while only 304s were sent, or where no two responses have the same body. */
  readonly ok: Headers | undefined;
  /** The cache that has the body until it is evicted. */
  readonly bodies: BodyCache;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** The key: the URL and every header that responses vary on. */
const cacheKeyOf = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): string =>
  `${headers["accept-encoding"] ?? ""}\n${headers.accept ?? ""}\n${headers.prefer !== undefined && isStrict(String(headers.prefer)) ? STRICT : ""}\n${url}`;

const MAX_BYTES = 24 * 1024 * 1024;
/** The approximate size of an entry without its key. */
const ENTRY_BYTES = 4000;

/** Drops the headers that keep HTTP/1.1 connections open, which is the default; they are a sixth of a 304. */
export function omitConnection(response: ServerResponse): void {
  if (response.shouldKeepAlive && response.req.httpVersion === "1.1") response.removeHeader("Connection");
}

/**
 * Reads a header. Repeated dates are joined, which makes them invalid, where node:http returns only the first; that
 * reads all headers again, so it is left until a date is there.
 */
const headersOf = (request: IncomingMessage) => ({
  get(name: string): string | null {
    const value = request.headers[name];
    if (value === undefined) return null;
    return name === "if-none-match" ? String(value) : (request.headersDistinct[name] ?? []).join(", ");
  },
});

/** Lower-cases and sorts headers like the router, so that replayed responses have the same order. */
const sorted = (headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export function createResponseCache(store: Pick<Store, "current" | "freshness">, now: () => number = Date.now) {
  const entries = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    // The Link header repeats the URL twice.
    sizeCalculation: (_, cacheKey) => 6 * cacheKey.length + ENTRY_BYTES,
  });

  const isValid = ({ generation, freshness, since, fresh }: CachedResponse, time: number): boolean =>
    generation === store.current()?.published.manifest.generation &&
    (freshness === undefined || freshness === store.freshness()) &&
    time >= since &&
    (fresh.until === undefined || time < fresh.until);

  return {
    add(request: IncomingMessage, response: CachedResponse): void {
      const { ok, notModified } = response;
      entries.set(cacheKeyOf(request), { ...response, notModified: sorted(notModified), ok: ok && sorted(ok) });
    },
    /** Replays a cached response that is still valid; returns false if there is none. */
    replay(request: IncomingMessage, response: ServerResponse, log: RequestLogFields): boolean {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const cached = entries.get(cacheKeyOf(request));
      const time = now();
      if (!cached || !isValid(cached, time)) return false;
      const { route, fresh, tags, notModified, ok } = cached;
      const { modified } = fresh;
      const body = cached.bodies.find(cached.key);
      // The application cuts out ranges.
      const isWhole = body && ok && !(request.headers.range !== undefined && ok["accept-ranges"]);
      const etag = conditional(headersOf(request), { tags, etag: isWhole ? ok["etag"] : undefined, modified });
      if (etag === undefined && !isWhole) return false;
      log.route = route;
      const control = cacheControl(fresh, time);
      if (etag !== undefined) {
        log.cache = "unchanged";
        omitConnection(response);
        response.writeHead(304, "", { ...notModified, "x-request-id": log.requestId, "cache-control": control, etag });
        response.end();
        return true;
      }
      log.cache = "hit";
      log.rows = body?.rows;
      // Setting these over existing names keeps the order of headers.
      response.writeHead(200, "", { ...ok, "x-request-id": log.requestId, "cache-control": control });
      response.end(request.method === "HEAD" ? undefined : body?.bytes);
      return true;
    },
  };
}
