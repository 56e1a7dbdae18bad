/** From a planned request to a response: 304, cached body, or a new result. */
import { HTTPResponse } from "h3";
import { asOfHeaders } from "../response/as-of.ts";
import type { BodyCache, EncodedBody, Encoding } from "../response/body-cache.ts";
import { MAX_ENTRY_BYTES } from "../response/body-cache.ts";
import { discard, encodeBody, encodeChunks, isBuffered, MAX_BUFFERED_BYTES, sizeOf } from "../response/body-stream.ts";
import { envelope, envelopeStream, toCachedEncoding, toPayload } from "../response/compat/envelope.ts";
import type { Endpoint, EndpointResult } from "../response/endpoint.ts";
import {
  encodingHeader,
  entityTags,
  findMatchingTag,
  freshHeaders,
  matchesAnyTag,
  notModifiedHeaders,
  toFresh,
} from "../response/headers.ts";
import { linkHeader } from "../response/paging.ts";
import { createSharedEncodings } from "../response/shared-encoding.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { bodyVersion } from "./body-version.ts";
import type { LargeResponses } from "./large-responses.ts";
import { contextOf } from "./request-context.ts";
import { type IncomingRequest, planRequest, type PlanParts, type RequestPlan } from "./request-plan.ts";
import type { ResponseCache } from "./response-cache.ts";
import { createSender, type Headers, UNLIMITED } from "./send.ts";

export interface Responder {
  /** @throws Problem and every error of the endpoint */
  respond(endpoint: Endpoint, snapshot: Snapshot, request: IncomingRequest): Promise<HTTPResponse>;
}

export interface ResponderParts extends PlanParts {
  readonly cache: BodyCache;
  readonly responseCache?: ResponseCache | undefined;
  readonly largeResponses?: LargeResponses | undefined;
}

export function createResponder({ cache, responseCache, largeResponses, ...parts }: ResponderParts): Responder {
  const sharedEncodings = createSharedEncodings();
  const { sendBytes, sendStream, sendEnclosed } = createSender(largeResponses);

  /** Encodes and caches a small body; a large one is returned as it is, to be encoded while it is streamed. */
  async function makeBody(
    { run, wraps }: RequestPlan,
    key: string,
    encoding: Encoding,
    relationKey: string,
  ): Promise<EncodedBody | EndpointResult> {
    const result = await run(relationKey);
    // A streamed body already contains its envelope, so only a buffered payload can be cached.
    const maxBytes = wraps ? MAX_ENTRY_BYTES : MAX_BUFFERED_BYTES;
    if (!isBuffered(result.body) || sizeOf(result.body) > maxBytes) return result;
    const encoded = wraps
      ? toEncodedBody(await toPayload(result.body, encoding), result)
      : await encodeBody(result.body, encoding, result.headers ?? {}, result.rows);
    if (!result.noStore) cache.set(key, encoded);
    return encoded;
  }

  async function respondUncached({ run, wraps, encoding, headers }: RequestPlan, request: IncomingRequest) {
    const { body, headers: own } = await run();
    const all = { ...headers, ...own, "Cache-Control": "no-store" };
    if (!isBuffered(body) || sizeOf(body) > MAX_BUFFERED_BYTES)
      return sendStream(wraps ? envelopeStream(body, request) : body, encoding, all, request);
    return sendBytes(await encodeBody(wraps ? envelope(body, request) : body, encoding, {}), all);
  }

  /** A body that is not cached, and too large to be encoded before it is sent. */
  async function sendLarge(
    made: EndpointResult,
    { wraps, encoding }: RequestPlan,
    key: string,
    headers: Headers,
    request: IncomingRequest,
  ): Promise<HTTPResponse> {
    const { body } = made;
    if (wraps) return sendStream(envelopeStream(body, request), encoding, headers, request);
    // It needs neither a stream nor a place in the cache.
    if (made.isLoaded && encoding === "identity" && isBuffered(body))
      return sendBytes({ bytes: body[0] as Buffer, encoding }, headers);
    const store = (bytes: Buffer) => cache.set(key, toEncodedBody({ bytes, encoding }, made));
    if (encoding === "identity" || !isBuffered(body) || request.event.req.method === "HEAD")
      return sendStream(body, encoding, headers, request, store);
    // The first of many clients gets the bytes as they come; sending the others the whole at once takes less time than a stream for each.
    const running = sharedEncodings.settled(key);
    if (running) {
      await running;
      const finished = cache.find(key);
      if (finished) return sendBytes(finished, headers);
    }
    const chunks = sharedEncodings.read(key, () => encodeChunks(body, encoding, largeResponses?.acquireSlot), store);
    const encoded = { ...headers, ...encodingHeader(encoding) };
    // The shared encoder holds a slot; readers with slots of their own could block it.
    return sendStream(chunks, "identity", encoded, request, undefined, UNLIMITED);
  }

  return {
    async respond(endpoint, snapshot, request) {
      const { event, now, asOf } = request;
      const plan = await planRequest(endpoint, snapshot, request, parts);
      const { values, context, page, format, wraps, encoding } = plan;
      const { log, cacheKey } = contextOf(event);
      if (plan.isLive || plan.isExplained) {
        log.cache = plan.isLive ? "live" : "miss";
        return respondUncached(plan, request);
      }

      const normalized = plan.normalize();
      const tag = entityTags(snapshot.id, normalized, wraps);
      const fresh = toFresh(endpoint, values, context);
      const headers = Object.assign(plan.headers, asOf ? asOfHeaders(fresh, now, asOf.isId) : freshHeaders(fresh, now));
      // Envelopes differ between responses: only the payload is cached.
      const cachedEncoding = wraps ? toCachedEncoding(encoding) : encoding;
      const key = `${bodyVersion(endpoint, snapshot, wraps)} ${cachedEncoding} ${normalized}`;
      const tags = [tag(encoding), tag("identity")];
      const cacheResponse = (ok?: Headers) => {
        if (cacheKey === undefined || !responseCache || asOf?.isId === false) return;
        const entry = {
          snapshotId: snapshot.id,
          generation: asOf?.servedGeneration ?? snapshot.generation.manifest.generation,
          aging: asOf ? undefined : { freshness: context.freshness, fresh },
          cache,
          key,
          tags,
          wraps,
          notChanged: notModifiedHeaders(headers, ""),
        };
        responseCache.put(cacheKey, now, ok ? { ...entry, ok } : entry);
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

      const make = () => makeBody(plan, key, cachedEncoding, `${snapshot.id} ${normalized}`);
      const cached = cache.find(key);
      // Other formats are read from a file that each request opens for itself.
      const isShared = !endpoint.streams && format === "json";
      const made = cached ?? (await (isShared ? cache.share(key, make) : make()));
      log.cache = cached ? "hit" : "miss";
      log.rows = made.rows;
      const all: Headers = { ...headers, ...made.headers, ...(page ? linkHeader(event.url, page, made.headers) : {}) };
      if ("bytes" in made) {
        if (matchesAnyTag(ifNoneMatch)) return notModified(tag(made.encoding));
        // Most requests never recur: only a repeated one is worth an entry in the response cache.
        const store = cached ? cacheResponse : undefined;
        if (wraps) return sendEnclosed(made, encoding, all, tag, request, store);
        return sendBytes(made, { ...all, ETag: tag(made.encoding) }, store);
      }
      if (matchesAnyTag(ifNoneMatch)) {
        discard(made.body);
        return notModified(tag(encoding));
      }
      return sendLarge(made, plan, key, { ...all, ETag: tag(encoding) }, request);
    },
  };
}

const toEncodedBody = (
  { bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">,
  { headers = {}, rows }: EndpointResult,
): EncodedBody => (rows === undefined ? { bytes, encoding, headers } : { bytes, encoding, headers, rows });
