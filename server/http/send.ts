/** Responses that are not one buffer made before: streamed bodies, large ones that concurrent requests share, and COMPAT=1 envelopes. */
import { HTTPResponse } from "h3";
import { type AcquireSlot, discard, encodeChunks, streamBody } from "../response/encoding/body-stream.ts";
import { enclose, envelopeStream } from "../response/compat/envelope.ts";
import {
  type EncodedBody,
  encodeBody,
  type Encoding,
  encodingHeader,
  isBuffered,
  MAX_BUFFERED_BYTES,
  MIN_COMPRESSED_BYTES,
  respondWith,
  sizeOf,
  withBodyHeaders,
} from "../response/encoding/encoding.ts";
import type { Body, EndpointResult } from "../response/endpoint.ts";
import { toCause } from "../response/problem.ts";
import { createSharedEncodings } from "../response/encoding/shared-encoding.ts";
import type { LargeResponses } from "./large-responses.ts";
import type { IncomingRequest } from "./request-context.ts";
import type { BodyCache } from "./response-cache.ts";

type Headers = Record<string, string>;

export interface StreamOptions {
  /** Puts the body into a COMPAT=1 envelope. */
  readonly wraps?: boolean;
  /** Gets the encoded body if it was sent completely and fits into the cache. */
  readonly store?: (bytes: Buffer) => void;
  readonly slots?: { admit(): void; readonly acquireSlot: AcquireSlot | undefined } | undefined;
}

/** For streams without a compressor, which need no concurrency limit. */
const UNLIMITED: StreamOptions["slots"] = { admit: () => undefined, acquireSlot: undefined };

export interface Sender {
  /** @throws Problem (503) when too many streams are in flight */
  sendStream(
    body: Body,
    encoding: Encoding,
    headers: Headers,
    request: IncomingRequest,
    options?: StreamOptions,
  ): HTTPResponse;
  /** Sends a body that is not cached, and too large to be encoded before it is sent. @throws Problem (503) */
  sendLarge(
    result: EndpointResult,
    encoding: Encoding,
    key: string,
    headers: Headers,
    request: IncomingRequest,
    wraps: boolean,
  ): Promise<HTTPResponse>;
  /** Wraps a cached payload. Only gzip bodies can be assembled from parts; other encodings compress the whole again. */
  sendEnclosed(
    payload: EncodedBody,
    accepted: Encoding,
    headers: Headers,
    tag: (encoding: Encoding) => string,
    request: IncomingRequest,
    store?: (headers: Headers) => void,
  ): Promise<HTTPResponse>;
}

const envelopeFields = ({ context, now }: IncomingRequest) => ({ requestId: context.log.requestId, now });

export function createSender(cache: BodyCache, largeResponses: LargeResponses | undefined): Sender {
  const sharedEncodings = createSharedEncodings();

  const sendStream: Sender["sendStream"] = (
    body,
    encoding,
    headers,
    request,
    { wraps = false, store, slots = largeResponses } = {},
  ) => {
    const { event, context, acquire } = request;
    const all = { ...headers, ...encodingHeader(encoding) };
    if (event.req.method === "HEAD") {
      discard(body);
      return new HTTPResponse(null, { status: 200, headers: all });
    }
    try {
      slots?.admit();
    } catch (error) {
      discard(body);
      throw error;
    }
    const lease = acquire();
    const stream = streamBody(wraps ? envelopeStream(body, envelopeFields(request)) : body, encoding, {
      onClose: () => lease.release(),
      onError(error) {
        if (!event.req.signal.aborted) context.log.cause = toCause(error);
      },
      store,
      acquireSlot: slots?.acquireSlot,
    });
    return new HTTPResponse(stream, { status: 200, headers: all });
  };

  return {
    sendStream,
    async sendLarge({ body, isLoaded, headers: own = {}, rows }, encoding, key, headers, request, wraps) {
      if (wraps) return sendStream(body, encoding, headers, request, { wraps });
      // It needs neither a stream nor a place in the cache.
      if (isLoaded && encoding === "identity" && isBuffered(body)) {
        const [bytes = Buffer.alloc(0)] = body;
        return respondWith(bytes, withBodyHeaders({ bytes, encoding }, headers));
      }
      const store = (bytes: Buffer) => cache.set(key, { bytes, encoding, headers: own, rows });
      if (encoding === "identity" || !isBuffered(body) || request.event.req.method === "HEAD")
        return sendStream(body, encoding, headers, request, { store });
      // The first of many clients gets the bytes as they come; sending the others the whole at once takes less time than a stream for each.
      const running = sharedEncodings.settled(key);
      if (running) {
        await running;
        const finished = cache.find(key);
        if (finished) return respondWith(finished.bytes, withBodyHeaders(finished, headers));
      }
      const chunks = sharedEncodings.read(key, () => encodeChunks(body, encoding, largeResponses?.acquireSlot), store);
      // The shared encoder holds a slot; readers with slots of their own could block it.
      const encoded = { ...headers, ...encodingHeader(encoding) };
      return sendStream(chunks, "identity", encoded, request, { slots: UNLIMITED });
    },
    async sendEnclosed(payload, accepted, headers, tag, request, store) {
      const chunks = enclose(payload, envelopeFields(request));
      const size = sizeOf(chunks);
      const { encoding } = payload;
      if (encoding !== accepted && size >= MIN_COMPRESSED_BYTES) {
        const all = { ...headers, ETag: tag(accepted) };
        if (size > MAX_BUFFERED_BYTES) return sendStream(chunks, accepted, all, request);
        const encoded = await encodeBody(chunks, accepted);
        return respondWith(encoded.bytes, withBodyHeaders(encoded, all));
      }
      const all = { ...headers, ...encodingHeader(encoding), ETag: tag(encoding), "Content-Length": String(size) };
      store?.(all);
      if (size <= MAX_BUFFERED_BYTES) return respondWith(Buffer.concat(chunks), all);
      const { "Content-Length": _unknown, ...streamed } = all;
      return sendStream(chunks, "identity", streamed, request);
    },
  };
}
