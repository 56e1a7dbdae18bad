/** From a request to an endpoint to its response, in three steps: it is planned, answered, sent. */
import { HTTPResponse } from "h3";
import { unknownValueWarnings, unreadWarnings } from "../endpoints/unknown-values.ts";
import { envelope, envelopeStream } from "../response/compat/envelope.ts";
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
import type { Body, Endpoint, EndpointResult } from "../response/endpoint.ts";
import { explain } from "../response/explain/explain.ts";
import { selectFields } from "../response/fields/select.ts";
import { exportRows } from "../response/formats/export.ts";
import { toCalendarFile } from "../response/formats/ics/calendar-file.ts";
import { findMatchingTag, isNotModifiedSince, matchesAnyTag, notModifiedHeaders } from "../response/headers.ts";
import { answerOf } from "../response/origin.ts";
import { linkHeader, toResult } from "../response/paging.ts";
import { toCause } from "../response/problem.ts";
import { staleWarnings } from "../response/stale.ts";
import { toWarning, unknownWarnings } from "../response/warnings.ts";
import { once } from "../snapshot/once.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { LargeResponses } from "./large-responses.ts";
import { type Plan, plan, type PlanParts } from "./plan.ts";
import type { IncomingRequest } from "./request-context.ts";
import type { BodyCache } from "./body-cache.ts";
import type { ResponseCache } from "./response-cache.ts";

/** @throws Problem and every error of the endpoint */
export type Respond = (endpoint: Endpoint, snapshot: Snapshot, request: IncomingRequest) => Promise<HTTPResponse>;

export interface ResponderParts extends PlanParts {
  readonly cache: BodyCache;
  /** Filled here, read before routing. */
  readonly responseCache?: ResponseCache | undefined;
  /** Undefined = unlimited. */
  readonly largeResponses?: LargeResponses | undefined;
}

/** A whole body, or one that is encoded while it is sent. */
type Made = EncodedBody | EndpointResult;

/** For a 304. */
interface NotModified {
  readonly etag: string;
}

/** The encoding that a body is sent in. That of COMPAT=1 is not encoded yet. */
const encodingOf = ({ encoding, context }: Plan, made: Made): Encoding => {
  if (!("bytes" in made)) return encoding;
  if (!context.compat) return made.encoding;
  return made.bytes.length < MIN_COMPRESSED_BYTES ? "identity" : encoding;
};

const fieldsOf = ({ context, now }: IncomingRequest) => ({ requestId: context.log.requestId, now });

export function createResponder(parts: ResponderParts): Respond {
  const { store, cache, responseCache, largeResponses } = parts;
  const inFlight = new Map<string, Promise<Made>>();

  /** A 304, a cached body, or one that is made now. */
  async function answer(planned: Plan): Promise<Made | NotModified> {
    const { endpoint, request, cacheable } = planned;
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
    const cached = cache.find(key);
    // A body that is streamed is its reader's own, and other formats are read from a file that each request opens for itself.
    const isShared = !endpoint.streams && request.query.format === "json";
    const share = () => once(inFlight, key, () => make(planned).finally(() => inFlight.delete(key)));
    const made = cached ?? (await (isShared ? share() : make(planned)));
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

  /** Encodes and caches a body, unless it is too large; that of COMPAT=1 waits for the envelope of each response. */
  async function make(planned: Plan): Promise<Made> {
    const { encoding, context, cacheable } = planned;
    const result = await run(planned);
    const body = await readSmall(result.body);
    const used = context.compat ? "identity" : encoding;
    if (!isBuffered(body)) return { ...result, body };
    const isOneBuffer = used === "identity" && body.length === 1;
    if (sizeOf(body) > MAX_WHOLE_BYTES && !isOneBuffer) return { ...result, body };
    const isHeld = !context.compat && !isOneBuffer;
    const hold = isHeld ? await holdUntilSent(planned, sizeOf(body)) : undefined;
    const encoded = await encodeBody(body, used, result);
    hold?.(encoded.bytes.length);
    if (cacheable) cache.set(cacheable.key, encoded);
    return encoded;
  }

  /** A client that does not read keeps its body in memory: large ones are counted until they are sent. The returned function says their size as encoded. */
  async function holdUntilSent({ request: { event } }: Plan, bytes: number): Promise<(encoded: number) => void> {
    const response = event.runtime?.node?.res;
    if (bytes <= MAX_BUFFERED_BYTES || !largeResponses || !response) return () => undefined;
    const keep = await largeResponses.hold(bytes);
    if (response.closed) keep(0);
    else response.once("close", () => keep(0));
    return (encoded) => response.closed || keep(encoded);
  }

  async function run({ endpoint, context, request, cacheable }: Plan): Promise<EndpointResult> {
    const { values, page, fields, format, explainedUrl, feedUrl } = request.query;
    if (explainedUrl !== undefined) return explain(endpoint, { url: explainedUrl, values }, context, page, fields);
    if (format === "ics") return toCalendarFile(endpoint, request.query, context);
    if (format !== "json" && format !== "atom")
      return exportRows(endpoint, request.query, format, context, cacheable?.rowsKey);
    const result = await toResult(await answerOf(endpoint, values, context), page, feedUrl);
    return fields ? { ...result, body: await selectFields(result.body, fields) } : result;
  }

  /** The body as bytes or as a stream. */
  async function send(planned: Plan, made: Made): Promise<HTTPResponse> {
    const { request, context, cacheable, headers } = planned;
    const encoding = encodingOf(planned, made);
    const { event, query } = request;
    const warnings = await warningsOf(planned, made.rows);
    if (warnings.length > 0) headers["Warning"] = warnings.join(", ");
    Object.assign(headers, made.headers);
    if (query.page) Object.assign(headers, linkHeader(context.base, event.url, query.page, made.headers));
    if (cacheable) headers["ETag"] = cacheable.tag(encoding);
    if (!("bytes" in made)) return sendStream(planned, made.body);
    const whole = context.compat ? await wrap(planned, made, encoding) : made;
    if (!whole) return sendStream(planned, [made.bytes]);
    const all = withBodyHeaders(whole, headers);
    // Most requests never recur: only a repeated one is worth an entry in the response cache.
    if (request.context.log.cache === "hit") responseCache?.put(planned, context.compat ? undefined : all, cache);
    return respondWith(whole.bytes, all);
  }

  /** The envelope is this response's own. Undefined when it is to be streamed: a large payload without compression is not copied then. */
  async function wrap(planned: Plan, { bytes }: EncodedBody, encoding: Encoding): Promise<EncodedBody | undefined> {
    const hold = await holdUntilSent(planned, bytes.length);
    if (bytes.length > (encoding === "identity" ? MAX_BUFFERED_BYTES : MAX_WHOLE_BYTES)) return undefined;
    const encoded = await encodeBody(envelope([bytes], fieldsOf(planned.request)), encoding);
    hold(encoded.bytes.length);
    return encoded;
  }

  async function warningsOf(
    { endpoint, snapshot, request, context, isLive }: Plan,
    rows: number | undefined,
  ): Promise<string[]> {
    const { unknown, values } = request.query;
    const warnings = [
      ...(isLive ? [] : staleWarnings(endpoint, values, context.freshness)),
      ...(unknown.length > 0 ? unknownWarnings(unknown, endpoint.params) : []),
      ...(endpoint.warnings?.(values, snapshot) ?? []).map(toWarning),
      ...unreadWarnings(endpoint, values, snapshot),
    ];
    // An earlier snapshot's codes would be read for nothing else.
    const known = (request.asOf && store.current()) || snapshot;
    return [...warnings, ...(await unknownValueWarnings(values, known, Boolean(rows)))];
  }

  /** @throws Problem (503) when too many streams are in flight */
  function sendStream({ encoding, headers, request, context: { compat } }: Plan, body: Body): HTTPResponse {
    const { event, context, acquire } = request;
    const all = { ...headers, ...encodingHeader(encoding) };
    if (event.req.method === "HEAD") {
      discard(body);
      return new HTTPResponse(null, { status: 200, headers: all });
    }
    try {
      largeResponses?.admit();
    } catch (error) {
      discard(body);
      throw error;
    }
    const lease = acquire();
    const stream = streamBody(compat ? envelopeStream(body, fieldsOf(request)) : body, encoding, {
      acquireSlot: largeResponses?.acquireSlot,
      onEnd(error) {
        discard(body);
        lease.release();
        if (error && !event.req.signal.aborted) context.log.cause = toCause(error);
      },
    });
    return new HTTPResponse(stream, { status: 200, headers: all });
  }

  return async (endpoint, snapshot, request) => {
    const planned = plan(parts, endpoint, snapshot, request);
    const answered = await answer(planned);
    if (!("etag" in answered)) return send(planned, answered);
    request.context.log.cache = "unchanged";
    responseCache?.put(planned, undefined, cache);
    return new HTTPResponse(null, { status: 304, headers: notModifiedHeaders(planned.headers, answered.etag) });
  };
}
