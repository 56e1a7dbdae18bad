/** From a request to an endpoint, and the moment that it asks about, to the response: its body is found or made, then sent. */
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
import { ACCEPT_RANGES, askedPart } from "../response/byte-range.ts";
import { findMatchingTag, isNotModifiedSince, matchesAnyTag, notModifiedHeaders } from "../response/headers.ts";
import { linkHeader, relatedLinks } from "../response/paging.ts";
import { toCause } from "../response/problem.ts";
import { staleWarnings } from "../response/stale.ts";
import { toWarning, unknownWarnings } from "../response/warnings.ts";
import type { History } from "../snapshot/history.ts";
import { poolFor } from "../duckdb/client-pool.ts";
import { createSharedWork } from "../snapshot/shared-work.ts";
import type { Kept } from "./kept.ts";
import type { LargeResponses } from "./large-responses.ts";
import type { Moment } from "./moments/moment.ts";
import { type Installed, type Plan, plan } from "./response-plan.ts";
import type { EndpointRequest } from "./request-context.ts";

/** @throws Problem and every error of the endpoint */
export type Respond = (request: EndpointRequest, moment: Moment) => Promise<HTTPResponse>;

/** A whole body, or one that is encoded while it is sent. */
type Made = EncodedBody | EndpointResult;

/** For a 304. */
interface NotModified {
  readonly etag: string;
}

const frameOf = ({ request }: Plan) => request.query.representation.frame;

/** Whether parts of a whole body can be asked for: the next request finds the same one. */
const hasRanges = ({ request, cacheable }: Plan, { encoding }: EncodedBody): boolean =>
  cacheable !== undefined && encoding === "identity" && request.query.representation.hasRanges === true;

/** The encoding that a body is sent in. What gets a frame is not encoded yet. */
function encodingOf(planned: Plan, made: Made): Encoding {
  if (!("bytes" in made)) return planned.encoding;
  if (!frameOf(planned)) return made.encoding;
  return made.bytes.length < MIN_COMPRESSED_BYTES ? "identity" : planned.encoding;
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
  const share = createSharedWork<Made>();

  /** A 304, a cached body, or one that is made now. */
  async function answer(planned: Plan): Promise<Made | NotModified> {
    const { request, moment, cacheable } = planned;
    const { log } = request.context;
    if (!cacheable) {
      log.cache = planned.isLive ? "live" : "miss";
      return make(planned);
    }
    const { key, tag, tags, fresh } = cacheable;
    const { headers } = request.event.req;
    const ifNoneMatch = headers.get("if-none-match");
    const matching = findMatchingTag(ifNoneMatch, tags);
    if (matching !== undefined) return { etag: matching };
    const cached = moment.bodies.find(key);
    const { endpoint, representation } = request.query;
    // A body that is streamed is its reader's own.
    const isShared = representation.isShared && !endpoint.streams;
    const makeShared = () => share(key, planned.context.signal(), (signal) => make(goingOnFor(planned, signal)));
    const made = cached ?? (await (isShared ? makeShared() : make(planned)));
    log.cache = cached ? "hit" : "miss";
    log.rows = made.rows;
    if (
      matchesAnyTag(ifNoneMatch) ||
      isNotModifiedSince(headers.get("if-modified-since"), ifNoneMatch, fresh.modified)
    ) {
      if ("body" in made) discard(made.body);
      return { etag: tag(encodingOf(planned, made)) };
    }
    return made;
  }

  /** Encodes and caches a body, unless it is too large or waits for the frame of each response. */
  async function make(planned: Plan): Promise<Made> {
    const { request, moment, encoding, context, cacheable } = planned;
    const { query } = request;
    const { render } = query.representation;
    if (!render) throw new TypeError(`${query.representation.name} is not rendered`);
    const result = await render(query, context, cacheable?.rowsKey);
    const body = isBuffered(result.body) ? result.body : await readSmall(result.body);
    const isFramed = frameOf(planned) !== undefined;
    const used = isFramed ? "identity" : encoding;
    if (!isBuffered(body)) return { ...result, body };
    const isOneBuffer = used === "identity" && body.length === 1;
    if (sizeOf(body) > MAX_WHOLE_BYTES && !isOneBuffer) return { ...result, body };
    const hold = isFramed || isOneBuffer ? undefined : await holdUntilSent(planned, sizeOf(body));
    const encoded = await encodeBody(body, used, result, context.signal());
    hold?.(encoded.bytes.length);
    if (cacheable) moment.bodies.set(cacheable.key, encoded);
    return encoded;
  }

  const holdUntilSent = async ({ request: { event }, context }: Plan, bytes: number) =>
    bytes > MAX_BUFFERED_BYTES
      ? largeResponses?.holdUntilSent(event.runtime?.node?.res as ServerResponse | undefined, bytes, context.signal())
      : undefined;

  /** The body as bytes or as a stream. */
  async function send(planned: Plan, made: Made): Promise<HTTPResponse> {
    try {
      return await toResponse(planned, made);
    } catch (error) {
      if ("body" in made) discard(made.body);
      throw error;
    }
  }

  async function toResponse(planned: Plan, made: Made): Promise<HTTPResponse> {
    const { request, context, cacheable, headers } = planned;
    const { event, query } = request;
    const encoding = encodingOf(planned, made);
    const warnings = await warningsOf(planned, made.rows);
    if (warnings.length > 0) headers["Warning"] = warnings.join(", ");
    Object.assign(headers, made.headers);
    if (query.page) Object.assign(headers, linkHeader(context.base, event.url, query.page, made.headers));
    const related = (await query.endpoint.links?.(context)) ?? [];
    if (related.length > 0) headers["Link"] = relatedLinks(context.base, related);
    if (cacheable) headers["ETag"] = cacheable.tag(encoding);
    if (!("bytes" in made)) return sendStream(planned, made.body, made.length);
    const isFramed = frameOf(planned) !== undefined;
    const whole = isFramed ? await frame(planned, made, encoding) : made;
    if (!whole) return sendStream(planned, [made.bytes]);
    const inParts = hasRanges(planned, whole);
    const all = withBodyHeaders(whole, { ...headers, ...(inParts ? ACCEPT_RANGES : {}) });
    // Most requests never recur: only a repeated one is worth keeping.
    if (request.context.log.cache === "hit") request.context.keep?.(toKept(planned, isFramed ? undefined : all));
    if (!inParts) return respondWith(whole.bytes, all);
    const { status, part, headers: ofPart } = askedPart(event.req.headers, headers["ETag"], whole.bytes.length);
    return respondWith(whole.bytes.subarray(part.first, part.last + 1), { ...all, ...ofPart }, status);
  }

  /** The frame is this response's own. Undefined when it is to be streamed: a large payload without compression is not copied then. */
  async function frame(planned: Plan, { bytes }: EncodedBody, encoding: Encoding): Promise<EncodedBody | undefined> {
    const hold = await holdUntilSent(planned, bytes.length);
    if (bytes.length > (encoding === "identity" ? MAX_BUFFERED_BYTES : MAX_WHOLE_BYTES)) return undefined;
    const [before, after] = framing(planned);
    const encoded = await encodeBody([before, bytes, after], encoding, {}, planned.context.signal());
    hold?.(encoded.bytes.length);
    return encoded;
  }

  /** @throws Problem (503) when too many streams are in flight */
  function sendStream(planned: Plan, body: Body, length?: number): HTTPResponse {
    const { encoding, headers, request, moment, context } = planned;
    const { event } = request;
    const isAsMade = length !== undefined && encoding === "identity" && !frameOf(planned);
    const all = {
      ...headers,
      ...encodingHeader(encoding),
      ...(isAsMade ? { "Content-Length": String(length) } : {}),
    };
    if (event.req.method === "HEAD") {
      discard(body);
      return new HTTPResponse(null, { status: 200, headers: all });
    }
    context.signal().throwIfAborted();
    largeResponses?.admit();
    const lease = moment.acquire();
    const stream = streamBody(frameOf(planned) ? framed(body, framing(planned)) : body, encoding, {
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
    const planned = plan(request, moment, history, installed);
    const answered = await answer(planned);
    if (!("etag" in answered)) return send(planned, answered);
    request.context.log.cache = "unchanged";
    request.context.keep?.(toKept(planned, undefined));
    return new HTTPResponse(null, { status: 304, headers: notModifiedHeaders(planned.headers, answered.etag) });
  };
}

/** A body that several clients wait for: it is made until the last of them goes away. */
const goingOnFor = (planned: Plan, signal: AbortSignal): Plan => ({
  ...planned,
  context: {
    ...planned.context,
    pool: poolFor(planned.context.pool, { signal: () => signal, name: planned.context.client }),
    signal: () => signal,
  },
});

/** Undefined for a response that lives no longer than its request. */
function toKept(
  { request, moment, headers, cacheable }: Plan,
  ok: Readonly<Record<string, string>> | undefined,
): Kept | undefined {
  // The address is no part of what equal requests are told by there.
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

/** As they come through the router. */
const sorted = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]): [string, string] => [name.toLowerCase(), value])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const NO_FRAME = [Buffer.alloc(0), Buffer.alloc(0)] as const;
const framing = (planned: Plan): readonly [Buffer, Buffer] =>
  frameOf(planned)?.({ requestId: planned.request.context.log.requestId, now: planned.request.now }) ?? NO_FRAME;

async function* framed(body: Body, [before, after]: readonly [Buffer, Buffer]): AsyncGenerator<Buffer> {
  yield before;
  yield* body;
  yield after;
}

async function warningsOf({ request, moment, context, isLive }: Plan, rows: number | undefined): Promise<string[]> {
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
