/** From a request to an endpoint to its response: 304, cached body, or a new result. */
import { HTTPResponse } from "h3";
import type { Pool } from "../duckdb/pool.ts";
import { departmentWarnings } from "../endpoints/department-warnings.ts";
import { asOfHeaders, freshnessOf } from "../response/as-of.ts";
import { discard, MAX_ENTRY_BYTES } from "../response/encoding/body-stream.ts";
import { envelope, GZIP_FIRST, toCachedEncoding, toPayload } from "../response/compat/envelope.ts";
import {
  chooseEncoding,
  type EncodedBody,
  encodeBody,
  type Encoding,
  isBuffered,
  MAX_BUFFERED_BYTES,
  respondWith,
  sizeOf,
  withBodyHeaders,
} from "../response/encoding/encoding.ts";
import type { Endpoint, EndpointContext, EndpointResult, LiveSchedule } from "../response/endpoint.ts";
import { explain } from "../response/explain/explain.ts";
import { reformat } from "../response/formats/reformat.ts";
import {
  commonHeaders,
  entityTags,
  findMatchingTag,
  freshHeaders,
  isNotModifiedSince,
  JSON_TYPE,
  matchesAnyTag,
  notModifiedHeaders,
  toFresh,
} from "../response/headers.ts";
import { linkHeader, toResult } from "../response/paging.ts";
import { appliedPreference } from "../response/prefer.ts";
import { normalizedQuery, readId } from "../response/query.ts";
import { unknownWarnings } from "../response/warnings.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Store } from "../snapshot/store.ts";
import type { LargeResponses } from "./large-responses.ts";
import type { IncomingRequest } from "./request-context.ts";
import { type BodyCache, bodyVersion, type ResponseCache } from "./response-cache.ts";
import { createSender } from "./send.ts";

export interface Responder {
  /** @throws Problem and every error of the endpoint */
  respond(endpoint: Endpoint, snapshot: Snapshot, request: IncomingRequest): Promise<HTTPResponse>;
}

export interface ResponderParts {
  readonly store: Store;
  readonly pool: Pool;
  /** Undefined = the upstream is never asked. */
  readonly live: LiveSchedule | undefined;
  readonly compat: boolean;
  readonly cache: BodyCache;
  readonly responseCache?: ResponseCache | undefined;
  readonly largeResponses?: LargeResponses | undefined;
}

export function createResponder(parts: ResponderParts): Responder {
  const { store, pool, live, compat, cache, responseCache, largeResponses } = parts;
  const { sendStream, sendEnclosed, sendLarge } = createSender(cache, largeResponses);

  function contextOf(endpoint: Endpoint, snapshot: Snapshot, request: IncomingRequest, wraps: boolean) {
    const { event, now, asOf } = request;
    const context: EndpointContext = {
      snapshot: (wraps && snapshot.compat) || snapshot,
      compat: wraps,
      pool,
      freshness: asOf ? freshnessOf(store.freshness()) : store.freshness(),
      history: store.history,
      live,
      id: readId(endpoint, event),
      now: asOf?.at ?? now,
      // Not a getter: an object with one has a shape of its own, which makes every use of it slow.
      signal: () => event.req.signal,
    };
    return context;
  }

  /** Runs the endpoint. `relationKey` names the selected rows, which concurrent requests for other formats share. */
  async function run(
    endpoint: Endpoint,
    context: EndpointContext,
    { event, query: { values, page, format, explainedUrl } }: IncomingRequest,
    relationKey?: string,
  ): Promise<EndpointResult> {
    if (explainedUrl !== undefined) return explain(endpoint, { url: explainedUrl, values }, context, page);
    const answer = await endpoint.answer(values, context);
    const result = "part" in answer ? await toResult(answer, page, format) : answer;
    if (format === "json" || format === "atom") return result;
    return reformat(result, format, endpoint, { pool, request: event.req, key: relationKey });
  }

  /** The headers of a 200 that depend on the request and the snapshot only. Filled in, because copying costs more than the rest. */
  function dataHeaders(snapshot: Snapshot, { context, query: { strict } }: IncomingRequest): Record<string, string> {
    const headers = commonHeaders(context.log.requestId);
    headers["Content-Type"] = JSON_TYPE;
    headers["X-Data-Snapshot"] = snapshot.id;
    headers["Vary"] = "Accept-Encoding, Accept, Prefer";
    if (strict) Object.assign(headers, appliedPreference(strict));
    return headers;
  }

  /** A department that has rows is known. */
  async function addWarnings(
    headers: Record<string, string>,
    endpoint: Endpoint,
    snapshot: Snapshot,
    { query: { unknown, values }, asOf }: IncomingRequest,
    rows: number | undefined,
  ): Promise<void> {
    const warnings = unknown.length > 0 ? unknownWarnings(unknown, endpoint.params) : [];
    // An earlier snapshot's codes would be read for nothing else.
    if (!rows) warnings.push(...(await departmentWarnings(endpoint, values, (asOf && store.current()) || snapshot)));
    if (warnings.length > 0) headers["Warning"] = warnings.join(", ");
  }

  /** Encodes and caches a small body; a large one is returned as it is, to be encoded while it is streamed. */
  async function makeBody(
    result: EndpointResult,
    key: string,
    encoding: Encoding,
    wraps: boolean,
  ): Promise<EncodedBody | EndpointResult> {
    // A streamed body already contains its envelope, so only a buffered payload can be cached.
    if (!isBuffered(result.body) || sizeOf(result.body) > (wraps ? MAX_ENTRY_BYTES : MAX_BUFFERED_BYTES)) return result;
    const encoded = await (wraps ? toPayload : encodeBody)(result.body, encoding, result);
    if (!result.noStore) cache.set(key, encoded);
    return encoded;
  }

  /** A live result, or an explanation. */
  async function respondUncached(
    endpoint: Endpoint,
    context: EndpointContext,
    snapshot: Snapshot,
    request: IncomingRequest,
    encoding: Encoding,
  ): Promise<HTTPResponse> {
    const { body, headers: own, rows } = await run(endpoint, context, request);
    const headers = dataHeaders(snapshot, request);
    await addWarnings(headers, endpoint, snapshot, request, rows);
    const all = { ...headers, ...own, "Cache-Control": "no-store" };
    if (!isBuffered(body) || sizeOf(body) > MAX_BUFFERED_BYTES)
      return sendStream(body, encoding, all, request, { wraps: context.compat });
    const fields = { requestId: request.context.log.requestId, now: request.now };
    const encoded = await encodeBody(context.compat ? envelope(body, fields) : body, encoding);
    return respondWith(encoded.bytes, withBodyHeaders(encoded, all));
  }

  return {
    async respond(endpoint, snapshot, request) {
      const { event, now, asOf, query } = request;
      const { values, page, format } = query;
      const { log, cacheKey } = request.context;
      const wraps = compat && format === "json";
      const context = contextOf(endpoint, snapshot, request, wraps);
      // Parquet is compressed inside.
      const encoding =
        format === "parquet"
          ? "identity"
          : chooseEncoding(event.req.headers.get("accept-encoding"), wraps ? GZIP_FIRST : undefined);
      const isLive = endpoint.isLive?.(values, snapshot) ?? false;
      if (isLive || query.explainedUrl !== undefined) {
        log.cache = isLive ? "live" : "miss";
        return respondUncached(endpoint, context, snapshot, request, encoding);
      }

      const normalized = normalizedQuery(
        endpoint.path,
        context.id,
        // With COMPAT=1 the same request has another body, and so another tag.
        { ...values, ...page, ...(format === "json" ? {} : { format }), ...(wraps ? { compat } : {}) },
        endpoint.dependsOn?.(values, context) ?? "",
      );
      const tag = entityTags(snapshot.id, normalized, wraps);
      const fresh = toFresh(endpoint, values, context);
      const headers = dataHeaders(snapshot, request);
      Object.assign(headers, asOf ? asOfHeaders(fresh, now, asOf.isId) : freshHeaders(fresh, now));
      // Envelopes differ between responses: only the payload is cached.
      const cachedEncoding = wraps ? toCachedEncoding(encoding) : encoding;
      const key = `${bodyVersion(endpoint, snapshot, wraps)} ${cachedEncoding} ${normalized}`;
      const tags = [tag(encoding), tag("identity")];
      const cacheResponse = (ok?: Record<string, string>) => {
        if (cacheKey === undefined || !responseCache || asOf?.isId === false) return;
        responseCache.put(cacheKey, now, {
          route: log.route,
          snapshotId: snapshot.id,
          generation: asOf?.servedGeneration ?? snapshot.generation.manifest.generation,
          modified: fresh.modified,
          aging: asOf ? undefined : { freshness: context.freshness, fresh },
          cache,
          key,
          tags,
          wraps,
          notChanged: notModifiedHeaders(headers, ""),
          ok,
        });
      };
      const notModified = (etag: string) => {
        log.cache = "unchanged";
        return new HTTPResponse(null, { status: 304, headers: notModifiedHeaders(headers, etag) });
      };
      const ifNoneMatch = event.req.headers.get("if-none-match");
      const matching = findMatchingTag(ifNoneMatch, tags);
      if (matching !== undefined) {
        cacheResponse();
        return notModified(matching);
      }

      const make = async () =>
        makeBody(await run(endpoint, context, request, `${snapshot.id} ${normalized}`), key, cachedEncoding, wraps);
      const cached = cache.find(key);
      // Other formats are read from a file that each request opens for itself.
      const isShared = !endpoint.streams && format === "json";
      const made = cached ?? (await (isShared ? cache.share(key, make) : make()));
      log.cache = cached ? "hit" : "miss";
      log.rows = made.rows;
      const ifModifiedSince = event.req.headers.get("if-modified-since");
      if (matchesAnyTag(ifNoneMatch) || isNotModifiedSince(ifModifiedSince, ifNoneMatch, fresh.modified)) {
        if ("body" in made) discard(made.body);
        return notModified(tag("bytes" in made ? made.encoding : encoding));
      }
      await addWarnings(headers, endpoint, snapshot, request, made.rows);
      Object.assign(headers, made.headers);
      if (page) Object.assign(headers, linkHeader(event.url, page, made.headers));
      if (!("bytes" in made)) {
        headers["ETag"] = tag(encoding);
        return sendLarge(made, encoding, key, headers, request, wraps);
      }
      // Most requests never recur: only a repeated one is worth an entry in the response cache.
      const store = cached ? cacheResponse : undefined;
      if (wraps) return sendEnclosed(made, encoding, headers, tag, request, store);
      headers["ETag"] = tag(made.encoding);
      const all = withBodyHeaders(made, headers);
      store?.(all);
      return respondWith(made.bytes, all);
    },
  };
}
