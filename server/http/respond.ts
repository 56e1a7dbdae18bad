/** Responds to requests to endpoints: `respond` parses a request and finds its snapshot, `answer` does the rest. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type H3Event, HTTPResponse } from "h3";
import { poolFor } from "../duckdb/query.ts";
import { unknownValueWarnings, unreadWarnings } from "../endpoints/unknown-values.ts";
import { ACCEPT_RANGES, requestedRange } from "../response/byte-range.ts";
import {
  chooseEncoding,
  discard,
  encodeAround,
  encodeBody,
  type Encoding,
  encodingHeader,
  isBuffered,
  MAX_BUFFERED_BYTES,
  MAX_WHOLE_BYTES,
  MIN_COMPRESSED_BYTES,
  readSmall,
  type RenderedBody,
  respondWith,
  sizeOf,
  streamBody,
  withBodyHeaders,
  withEnvelope,
} from "../response/encoding.ts";
import { BASE, type Body, type Endpoint, type EndpointResult } from "../response/endpoint.ts";
import { commonHeaders, conditional, freshHeaders, JSON_TYPE, notModifiedHeaders } from "../response/headers.ts";
import { appliedPreference } from "../response/negotiation.ts";
import { linkHeader, relatedLinks } from "../response/paging.ts";
import { addressHeaders, type Installation } from "../response/installation.ts";
import { toCause } from "../response/problem.ts";
import { type EndpointRequest, readRequest } from "../response/query.ts";
import type { Representation } from "../response/representations/representation.ts";
import { staleWarnings, toWarning, unknownWarnings } from "../response/warnings.ts";
import { createSharedWork } from "../snapshot/shared-work.ts";
import { type Cacheable, type ResponseCache, toCacheable } from "./cache.ts";
import { createLargeResponses, type LargeResponses } from "./large-responses.ts";
import type { SnapshotView, WithView } from "./views.ts";

/** Responds to a request to an endpoint. @throws Problem and every error of the endpoint */
export type Respond = (endpoint: Endpoint, event: H3Event) => Promise<HTTPResponse>;

export interface RespondParts {
  readonly representations: readonly Representation[];
  readonly withView: WithView;
  readonly installation: Installation;
  /** Undefined = unlimited. */
  readonly largeResponses?: LargeResponses | undefined;
  readonly responseCache?: Pick<ResponseCache, "add"> | undefined;
  /** Serves event streams; undefined disables them. */
  readonly openStream?: ((request: EndpointRequest) => Promise<HTTPResponse>) | undefined;
  readonly now?: (() => Date) | undefined;
}

/** A response whose body is not there yet. */
interface Pending {
  readonly request: EndpointRequest;
  readonly view: SnapshotView;
  readonly accepted: Encoding;
  /** The headers of a 200; filled in place, because copying costs more than all the rest. */
  readonly headers: Record<string, string>;
  /** Undefined when the body is rendered for each request. */
  readonly cacheable: Cacheable | undefined;
}

export function createRespond({
  representations,
  withView,
  installation,
  largeResponses = createLargeResponses(),
  responseCache,
  openStream,
  now = () => new Date(),
}: RespondParts): Respond {
  const share = createSharedWork<RenderedBody>();
  const offered = openStream ? representations : representations.filter(({ render }) => render);

  async function respond(endpoint: Endpoint, event: H3Event): Promise<HTTPResponse> {
    const request = readRequest(endpoint, event, offered, now());
    if (openStream && !request.representation.render) return openStream(request);
    return withView(request, (view) => answer(request, view));
  }

  async function answer(request: EndpointRequest, view: SnapshotView): Promise<HTTPResponse> {
    const { endpoint, representation, event, log } = request;
    const { headers: sent } = event.req;
    const isLive = endpoint.live?.isAsked(request.values, view.snapshot) ?? false;
    const accepted = representation.isCompressed
      ? "identity"
      : chooseEncoding(sent.get("accept-encoding"), representation.envelope !== undefined);
    const isCacheable = !isLive && representation.dependsOn !== "request";
    const cacheable = isCacheable ? toCacheable(request, view, accepted) : undefined;
    const headers = toHeaders(request, view);
    Object.assign(headers, cacheable ? freshHeaders(cacheable.fresh, request.now) : { "Cache-Control": "no-store" });
    const pending = { request, view, accepted, headers, cacheable };

    const matching = cacheable && conditional(sent, { tags: cacheable.tags });
    if (matching !== undefined) return notModified(pending, matching);

    const cached = cacheable && view.bodies.find(cacheable.key);
    const body = cached ?? (await renderShared(pending));
    try {
      log.cache = isLive ? "live" : cached ? "hit" : "miss";
      log.rows = body.rows;
      if (cacheable) {
        const etag = cacheable.tag(encodingOf(pending, body));
        const { tags, fresh } = cacheable;
        const unchanged = conditional(sent, { tags, etag, modified: fresh.modified });
        if (unchanged !== undefined) {
          if ("body" in body) discard(body.body);
          return notModified(pending, unchanged);
        }
        headers["ETag"] = etag;
      }
      await addWarningsAndLinks(pending, isLive, body);
      return await send(pending, body);
    } catch (error) {
      if ("body" in body) discard(body.body);
      throw error;
    }
  }

  function notModified(pending: Pending, etag: string): HTTPResponse {
    pending.request.log.cache = "unchanged";
    cacheResponse(pending, undefined);
    const headers = notModifiedHeaders(pending.headers, etag);
    return new HTTPResponse(null, { status: 304, headers });
  }

  function toHeaders(
    { endpoint, representation, strict, event, log }: EndpointRequest,
    { id, snapshot, base }: SnapshotView,
  ) {
    const headers = commonHeaders(log.requestId);
    headers["Content-Type"] = JSON_TYPE;
    headers["X-Data-Snapshot"] = snapshot.id;
    headers["Vary"] = "Accept-Encoding, Accept, Prefer";
    if (representation.namesAddress) headers["Vary"] += `, ${addressHeaders(installation)}`;
    if (strict) Object.assign(headers, appliedPreference(true));
    const canonicalId = endpoint.standsFor?.(id, snapshot);
    if (canonicalId !== undefined) {
      const path = endpoint.path.replace(":id", () => encodeURIComponent(canonicalId));
      headers["Content-Location"] = `${base}${BASE.slice(1)}${path}${event.url.search}`;
    }
    return headers;
  }

  /** Renders a body, once for concurrent requests: a streamed one belongs to its single reader. */
  function renderShared(pending: Pending): Promise<RenderedBody> {
    const { request, view, cacheable } = pending;
    if (!cacheable || !request.representation.isShared || request.endpoint.streams) return render(pending);
    return share(cacheable.key, view.signal(), (lastSignal) => {
      // The work goes on until the last client disconnects.
      const signal = () => lastSignal;
      return render({ ...pending, view: { ...view, signal, pool: poolFor(view.pool, { signal, name: view.client }) } });
    });
  }

  /** Renders, encodes and caches a body, except one that is too large or that gets an envelope per response. */
  async function render({ request, view, accepted, cacheable }: Pending): Promise<RenderedBody> {
    const { representation, event } = request;
    async function renderOnce() {
      if (!representation.render) throw new TypeError(`${representation.name} is not rendered`);
      const result = await representation.render(request, view, cacheable?.rowsKey);
      return { ...result, body: await readSmall(result.body) };
    }
    let result: EndpointResult | undefined = await renderOnce();
    const size = isBuffered(result.body) ? sizeOf(result.body) : Infinity;
    if (size > MAX_WHOLE_BYTES) return result;
    const isReserved = size > MAX_BUFFERED_BYTES;
    // A body that has to wait for memory is dropped and rendered again, so that waiting clients hold none.
    if (isReserved && !largeResponses.hasRoom(size)) result = undefined;
    const reserve = () => largeResponses.reserveUntilSent(responseOf(event), size, view.signal());
    const resize = isReserved ? await reserve() : undefined;
    const { body, headers, rows } = result ?? (await renderOnce());
    const options = { headers, rows, isPayload: representation.envelope !== undefined };
    const encoded = await encodeBody(body as readonly Buffer[], accepted, options, view.signal());
    resize?.(encoded.bytes.length);
    if (cacheable) view.bodies.set(cacheable.key, encoded);
    return encoded;
  }

  async function send(pending: Pending, body: RenderedBody): Promise<HTTPResponse> {
    const { request, headers, cacheable } = pending;
    const { representation, event, log } = request;
    if (!("bytes" in body)) return sendStream(pending, body.body, body.length);
    const whole = representation.envelope ? await addEnvelope(pending, body) : body;
    if (!whole) return sendStream(pending, [body.bytes]);
    // A later request must find the same bytes.
    const hasRanges = cacheable !== undefined && whole.encoding === "identity" && representation.hasRanges === true;
    const all = withBodyHeaders(whole, hasRanges ? { ...headers, ...ACCEPT_RANGES } : headers);
    // Most requests never recur, so only repeated responses are cached.
    if (log.cache === "hit") cacheResponse(pending, representation.envelope ? undefined : all);
    if (!hasRanges) return respondWith(whole.bytes, all);
    const { status, part, headers: ranged } = requestedRange(event.req.headers, headers["ETag"], whole.bytes.length);
    return respondWith(whole.bytes.subarray(part.first, part.last + 1), { ...all, ...ranged }, status);
  }

  /**
   * Encodes a payload with its envelope, which is never cached. Returns undefined when the response has to be streamed:
   * a large uncompressed payload is not copied.
   */
  async function addEnvelope(pending: Pending, body: Extract<RenderedBody, { bytes: Buffer }>) {
    const { request, view } = pending;
    const { bytes } = body;
    const encoding = encodingOf(pending, body);
    const resize = await largeResponses.reserveUntilSent(responseOf(request.event), bytes.length, view.signal());
    if (bytes.length > (encoding === "identity" ? MAX_BUFFERED_BYTES : MAX_WHOLE_BYTES)) return undefined;
    const encoded = await encodeAround(envelopeOf(request), body, encoding, view.signal());
    resize(encoded.bytes.length);
    return encoded;
  }

  /** Streams the body. @throws Problem (503) when too many streams are in flight */
  function sendStream({ accepted, headers, request, view }: Pending, body: Body, length?: number) {
    const { event, log, representation } = request;
    const isUnchanged = length !== undefined && accepted === "identity" && !representation.envelope;
    const all = { ...headers, ...encodingHeader(accepted), ...(isUnchanged && { "Content-Length": String(length) }) };
    if (event.req.method === "HEAD") {
      discard(body);
      return new HTTPResponse(null, { status: 200, headers: all });
    }
    view.signal().throwIfAborted();
    largeResponses.admit();
    const lease = view.acquire();
    const stream = streamBody(representation.envelope ? withEnvelope(body, envelopeOf(request)) : body, accepted, {
      acquireSlot: largeResponses.acquireSlot,
      signal: view.signal(),
      onEnd(error) {
        discard(body);
        lease.release();
        if (error && !event.req.signal.aborted) log.cause = toCause(error);
      },
    });
    return new HTTPResponse(stream, { status: 200, headers: all });
  }

  /** @param ok the headers of the 200; undefined for a 304, or where no two responses have the same body */
  function cacheResponse(
    { request, view, headers, cacheable }: Pending,
    ok: Readonly<Record<string, string>> | undefined,
  ) {
    const node = request.event.runtime?.node?.req as IncomingMessage | undefined;
    // A body with the address of the installation is not the same for equal requests.
    if (!node || !cacheable || request.representation.namesAddress || view.asOf === "time") return;
    const { tags, fresh, key } = cacheable;
    responseCache?.add(node, {
      ...{ key, tags, fresh, bodies: view.bodies, route: request.log.route, since: request.now.getTime() },
      generation: view.servedNumber,
      freshness: fresh.isFixed ? undefined : view.freshness,
      notModified: notModifiedHeaders(headers, ""),
      ok,
    });
  }

  return respond;
}

const responseOf = ({ runtime }: H3Event) => runtime?.node?.res as ServerResponse | undefined;

const envelopeOf = ({ representation, log, now }: EndpointRequest): readonly [Buffer, Buffer] =>
  representation.envelope?.({ requestId: log.requestId, now }) ?? [Buffer.alloc(0), Buffer.alloc(0)];

/** Returns the encoding that a body is sent in. A body that gets an envelope is not encoded yet. */
function encodingOf({ request, accepted }: Pending, body: RenderedBody): Encoding {
  if (!("bytes" in body)) return accepted;
  if (!request.representation.envelope || body.payload) return body.encoding;
  return body.bytes.length < MIN_COMPRESSED_BYTES ? "identity" : accepted;
}

async function addWarningsAndLinks(
  { request, view, headers }: Pending,
  isLive: boolean,
  body: RenderedBody,
): Promise<void> {
  const { endpoint, values, unknown, page, event } = request;
  const { snapshot, freshness, base } = view;
  const warnings = [
    ...(isLive || !freshness.withheld?.length ? [] : staleWarnings(endpoint, values, freshness)),
    ...(unknown.length > 0 ? unknownWarnings(unknown, endpoint.params) : []),
    ...(endpoint.warnings?.(values, snapshot, view.id) ?? []).map(toWarning),
    ...unreadWarnings(endpoint, values, snapshot),
    ...(await unknownValueWarnings(values, view.valuesFrom, Boolean(body.rows))),
  ];
  if (warnings.length > 0) headers["Warning"] = warnings.join(", ");
  Object.assign(headers, body.headers);
  if (page) Object.assign(headers, linkHeader(base, event.url, page, body.headers));
  const related = (await endpoint.links?.(view)) ?? [];
  if (related.length > 0) headers["Link"] = relatedLinks(base, related);
}
