/** Responds to a request to an endpoint: finds the body in the cache or renders it, then sends it. */
import type { ServerResponse } from "node:http";
import { HTTPResponse } from "h3";
import { unknownValueWarnings, unreadWarnings } from "../endpoints/unknown-values.ts";
import { discard, readSmall, streamBody } from "../response/encoding/body-stream.ts";
import {
  type EncodedBody,
  encodeBody,
  type Encoding,
  encodingHeader,
  isBuffered,
  MAX_BUFFERED_BYTES,
  MAX_WHOLE_BYTES,
  MIN_COMPRESSED_BYTES,
  respondWith,
  sizeOf,
  withBodyHeaders,
} from "../response/encoding/encoding.ts";
import type { Body, EndpointResult } from "../response/endpoint.ts";
import { ACCEPT_RANGES, requestedRange } from "../response/byte-range.ts";
import { findMatchingTag, isNotModifiedSince, matchesAnyTag, notModifiedHeaders } from "../response/headers.ts";
import { linkHeader, relatedLinks } from "../response/paging.ts";
import { toCause } from "../response/problem.ts";
import { staleWarnings } from "../response/stale.ts";
import { toWarning, unknownWarnings } from "../response/warnings.ts";
import type { History } from "../snapshot/history.ts";
import { poolFor } from "../duckdb/client-pool.ts";
import { createSharedWork } from "../snapshot/shared-work.ts";
import type { CachedResponse } from "./kept.ts";
import type { LargeResponses } from "./large-responses.ts";
import type { Moment } from "./moments/moment.ts";
import { type Installed, type ResponseHead, toResponseHead } from "./response-plan.ts";
import type { EndpointRequest } from "./request-context.ts";

/** Responds to a request from a snapshot. @throws Problem and every error of the endpoint */
export type Respond = (request: EndpointRequest, moment: Moment) => Promise<HTTPResponse>;

/** A whole encoded body, or a rendered result that is encoded while it is sent. */
type RenderedBody = EncodedBody | EndpointResult;

/** The result for a 304. */
interface NotModified {
  readonly etag: string;
}

const envelopeOf = ({ request }: ResponseHead) => request.query.representation.envelope;

/** True when the body supports range requests: a later request must find the same bytes. */
const hasRanges = ({ request, cacheable }: ResponseHead, { encoding }: EncodedBody): boolean =>
  cacheable !== undefined && encoding === "identity" && request.query.representation.hasRanges === true;

/** Returns the encoding that a body is sent in. A body that gets an envelope is not encoded yet. */
function encodingOf(head: ResponseHead, body: RenderedBody): Encoding {
  if (!("bytes" in body)) return head.encoding;
  if (!envelopeOf(head)) return body.encoding;
  return body.bytes.length < MIN_COMPRESSED_BYTES ? "identity" : head.encoding;
}

export function createResponder({
  history,
  installed,
  largeResponses,
}: {
  readonly history: History;
  readonly installed: Installed;
  /** Undefined = unlimited. */
  readonly largeResponses?: LargeResponses | undefined;
}): Respond {
  const share = createSharedWork<RenderedBody>();

  /** Returns a 304, a cached body, or one that is rendered now. */
  async function findOrRender(head: ResponseHead): Promise<RenderedBody | NotModified> {
    const { request, moment, cacheable } = head;
    const { log } = request.context;
    if (!cacheable) {
      log.cache = head.isLive ? "live" : "miss";
      return renderBody(head);
    }
    const { key, tag, tags, fresh } = cacheable;
    const { headers } = request.event.req;
    const ifNoneMatch = headers.get("if-none-match");
    const matching = findMatchingTag(ifNoneMatch, tags);
    if (matching !== undefined) return { etag: matching };
    const cached = moment.bodies.find(key);
    const { endpoint, representation } = request.query;
    // A streamed body belongs to its single reader.
    const isShared = representation.isShared && !endpoint.streams;
    const renderShared = () => share(key, head.context.signal(), (signal) => renderBody(untilLastClient(head, signal)));
    const body = cached ?? (await (isShared ? renderShared() : renderBody(head)));
    log.cache = cached ? "hit" : "miss";
    log.rows = body.rows;
    if (
      matchesAnyTag(ifNoneMatch) ||
      isNotModifiedSince(headers.get("if-modified-since"), ifNoneMatch, fresh.modified)
    ) {
      if ("body" in body) discard(body.body);
      return { etag: tag(encodingOf(head, body)) };
    }
    return body;
  }

  /** Renders, encodes and caches a body, except one that is too large or that gets an envelope per response. */
  async function renderBody(head: ResponseHead): Promise<RenderedBody> {
    const { request, moment, encoding, context, cacheable } = head;
    const { query } = request;
    const { render } = query.representation;
    if (!render) throw new TypeError(`${query.representation.name} is not rendered`);
    const result = await render(query, context, cacheable?.rowsKey);
    const body = isBuffered(result.body) ? result.body : await readSmall(result.body);
    const hasEnvelope = envelopeOf(head) !== undefined;
    const used = hasEnvelope ? "identity" : encoding;
    if (!isBuffered(body)) return { ...result, body };
    const isOneBuffer = used === "identity" && body.length === 1;
    if (sizeOf(body) > MAX_WHOLE_BYTES && !isOneBuffer) return { ...result, body };
    const resize = hasEnvelope || isOneBuffer ? undefined : await reserveUntilSent(head, sizeOf(body));
    const encoded = await encodeBody(body, used, result, context.signal());
    resize?.(encoded.bytes.length);
    if (cacheable) moment.bodies.set(cacheable.key, encoded);
    return encoded;
  }

  const reserveUntilSent = async ({ request: { event }, context }: ResponseHead, bytes: number) =>
    bytes > MAX_BUFFERED_BYTES
      ? largeResponses?.reserveUntilSent(
          event.runtime?.node?.res as ServerResponse | undefined,
          bytes,
          context.signal(),
        )
      : undefined;

  /** Sends the body, as bytes or as a stream. */
  async function send(head: ResponseHead, body: RenderedBody): Promise<HTTPResponse> {
    try {
      return await toResponse(head, body);
    } catch (error) {
      if ("body" in body) discard(body.body);
      throw error;
    }
  }

  async function toResponse(head: ResponseHead, body: RenderedBody): Promise<HTTPResponse> {
    const { request, context, cacheable, headers } = head;
    const { event, query } = request;
    const encoding = encodingOf(head, body);
    const warnings = await warningsOf(head, body.rows);
    if (warnings.length > 0) headers["Warning"] = warnings.join(", ");
    Object.assign(headers, body.headers);
    if (query.page) Object.assign(headers, linkHeader(context.base, event.url, query.page, body.headers));
    const related = (await query.endpoint.links?.(context)) ?? [];
    if (related.length > 0) headers["Link"] = relatedLinks(context.base, related);
    if (cacheable) headers["ETag"] = cacheable.tag(encoding);
    if (!("bytes" in body)) return sendStream(head, body.body, body.length);
    const hasEnvelope = envelopeOf(head) !== undefined;
    const whole = hasEnvelope ? await addEnvelope(head, body, encoding) : body;
    if (!whole) return sendStream(head, [body.bytes]);
    const supportsRanges = hasRanges(head, whole);
    const all = withBodyHeaders(whole, { ...headers, ...(supportsRanges ? ACCEPT_RANGES : {}) });
    // Most requests never recur, so only repeated responses are cached.
    if (request.context.log.cache === "hit")
      request.context.cache?.(toCachedResponse(head, hasEnvelope ? undefined : all));
    if (!supportsRanges) return respondWith(whole.bytes, all);
    const {
      status,
      part,
      headers: rangeHeaders,
    } = requestedRange(event.req.headers, headers["ETag"], whole.bytes.length);
    return respondWith(whole.bytes.subarray(part.first, part.last + 1), { ...all, ...rangeHeaders }, status);
  }

  /**
   * Encodes a payload with its envelope, which is never cached. Returns undefined when the response has to be streamed:
   * a large uncompressed payload is not copied.
   */
  async function addEnvelope(
    head: ResponseHead,
    { bytes }: EncodedBody,
    encoding: Encoding,
  ): Promise<EncodedBody | undefined> {
    const resize = await reserveUntilSent(head, bytes.length);
    if (bytes.length > (encoding === "identity" ? MAX_BUFFERED_BYTES : MAX_WHOLE_BYTES)) return undefined;
    const [prefix, suffix] = envelopeParts(head);
    const encoded = await encodeBody([prefix, bytes, suffix], encoding, {}, head.context.signal());
    resize?.(encoded.bytes.length);
    return encoded;
  }

  /** Streams the body. @throws Problem (503) when too many streams are in flight */
  function sendStream(head: ResponseHead, body: Body, length?: number): HTTPResponse {
    const { encoding, headers, request, moment, context } = head;
    const { event } = request;
    const isUnchanged = length !== undefined && encoding === "identity" && !envelopeOf(head);
    const all = {
      ...headers,
      ...encodingHeader(encoding),
      ...(isUnchanged ? { "Content-Length": String(length) } : {}),
    };
    if (event.req.method === "HEAD") {
      discard(body);
      return new HTTPResponse(null, { status: 200, headers: all });
    }
    context.signal().throwIfAborted();
    largeResponses?.admit();
    const lease = moment.acquire();
    const stream = streamBody(envelopeOf(head) ? withEnvelope(body, envelopeParts(head)) : body, encoding, {
      acquireSlot: largeResponses?.acquireSlot,
      signal: context.signal(),
      onEnd(error) {
        discard(body);
        lease.release();
        if (error && !event.req.signal.aborted) request.context.log.cause = toCause(error);
      },
    });
    return new HTTPResponse(stream, { status: 200, headers: all });
  }

  return async (request, moment) => {
    const head = toResponseHead(request, moment, history, installed);
    const result = await findOrRender(head);
    if (!("etag" in result)) return send(head, result);
    request.context.log.cache = "unchanged";
    request.context.cache?.(toCachedResponse(head, undefined));
    return new HTTPResponse(null, { status: 304, headers: notModifiedHeaders(head.headers, result.etag) });
  };
}

/** Renders a body that several clients wait for until the last of them disconnects. */
const untilLastClient = (head: ResponseHead, signal: AbortSignal): ResponseHead => ({
  ...head,
  context: {
    ...head.context,
    pool: poolFor(head.context.pool, { signal: () => signal, name: head.context.client }),
    signal: () => signal,
  },
});

/** Returns undefined for a response that must not be cached. */
function toCachedResponse(
  { request, moment, headers, cacheable }: ResponseHead,
  ok: Readonly<Record<string, string>> | undefined,
): CachedResponse | undefined {
  // The body contains the address, which is not part of the key of the response cache.
  if (request.query.representation.namesAddress) return undefined;
  const life = cacheable && moment.life(cacheable.fresh);
  if (!life) return undefined;
  return {
    ...life,
    route: request.context.log.route,
    snapshotId: moment.snapshot.id,
    modified: cacheable.fresh.modified,
    tags: cacheable.tags,
    notModified: sorted(notModifiedHeaders(headers, "")),
    ok: ok && sorted(ok),
    body: () => moment.bodies.find(cacheable.key),
  };
}

/** Lower-cases and sorts headers like the router, so that replayed responses have the same order. */
const sorted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const NO_FRAME = [Buffer.alloc(0), Buffer.alloc(0)] as const;
const envelopeParts = (head: ResponseHead): readonly [Buffer, Buffer] =>
  envelopeOf(head)?.({ requestId: head.request.context.log.requestId, now: head.request.now }) ?? NO_FRAME;

async function* withEnvelope(body: Body, [prefix, suffix]: readonly [Buffer, Buffer]): AsyncGenerator<Buffer> {
  yield prefix;
  yield* body;
  yield suffix;
}

async function warningsOf(
  { request, moment, context, isLive }: ResponseHead,
  rows: number | undefined,
): Promise<string[]> {
  const { endpoint, unknown, values } = request.query;
  const { snapshot } = moment;
  return [
    ...(isLive || !context.freshness.withheld?.length ? [] : staleWarnings(endpoint, values, context.freshness)),
    ...(unknown.length > 0 ? unknownWarnings(unknown, endpoint.params) : []),
    ...(endpoint.warnings?.(values, snapshot, context.id) ?? []).map(toWarning),
    ...unreadWarnings(endpoint, values, snapshot),
    ...(await unknownValueWarnings(values, moment.known, Boolean(rows))),
  ];
}
