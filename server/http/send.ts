/** Builds the 200 of a body: buffered, streamed, or wrapped in a COMPAT=1 envelope. */
import { HTTPResponse } from "h3";
import type { EncodedBody, Encoding } from "../response/body-cache.ts";
import {
  type AcquireSlot,
  discard,
  encodeBody,
  MAX_BUFFERED_BYTES,
  sizeOf,
  streamBody,
} from "../response/body-stream.ts";
import { enclose } from "../response/compat/envelope.ts";
import { MIN_COMPRESSED_BYTES } from "../response/compression.ts";
import type { Body } from "../response/endpoint.ts";
import { encodingHeader } from "../response/headers.ts";
import { toCause } from "../response/problem.ts";
import type { LargeResponses } from "./large-responses.ts";
import { contextOf } from "./request-context.ts";
import type { IncomingRequest } from "./request-plan.ts";

export type Headers = Record<string, string>;

export type StoreHeaders = (headers: Headers) => void;

export interface StreamSlots {
  admit(): void;
  readonly acquireSlot: AcquireSlot | undefined;
}

/** For streams without a compressor, which need no concurrency limit. */
export const UNLIMITED: StreamSlots = { admit: () => undefined, acquireSlot: undefined };

export interface Sender {
  sendBytes(body: Pick<EncodedBody, "bytes" | "encoding">, headers: Headers, store?: StoreHeaders): HTTPResponse;
  /** `store` gets the encoded body (see `StreamOptions`). @throws Problem (503) when too many streams are in flight */
  sendStream(
    body: Body,
    encoding: Encoding,
    headers: Headers,
    request: IncomingRequest,
    store?: (bytes: Buffer) => void,
    slots?: StreamSlots,
  ): HTTPResponse;
  /** Wraps a cached payload. Only gzip bodies can be assembled from parts; other encodings compress the whole again. */
  sendEnclosed(
    payload: EncodedBody,
    accepted: Encoding,
    headers: Headers,
    tag: (encoding: Encoding) => string,
    request: IncomingRequest,
    store?: StoreHeaders,
  ): Promise<HTTPResponse>;
}

export function createSender(largeResponses: LargeResponses | undefined): Sender {
  const sendBytes: Sender["sendBytes"] = ({ bytes, encoding }, headers, store) => {
    const all = { ...headers, ...encodingHeader(encoding), "Content-Length": String(bytes.length) };
    store?.(all);
    return new HTTPResponse(bytes as unknown as ConstructorParameters<typeof HTTPResponse>[0], {
      status: 200,
      headers: all,
    });
  };

  const sendStream: Sender["sendStream"] = (
    body,
    encoding,
    headers,
    { event, acquire },
    store,
    slots = largeResponses,
  ) => {
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
    const { log } = contextOf(event);
    const lease = acquire();
    const stream = streamBody(body, encoding, {
      onClose: () => lease.release(),
      onError(error) {
        if (!event.req.signal.aborted) log.cause = toCause(error);
      },
      store,
      acquireSlot: slots?.acquireSlot,
    });
    return new HTTPResponse(stream, { status: 200, headers: all });
  };

  return {
    sendBytes,
    sendStream,
    async sendEnclosed(payload, accepted, headers, tag, request, store) {
      const chunks = enclose(payload, request);
      const size = sizeOf(chunks);
      const { encoding } = payload;
      if (encoding !== accepted && size >= MIN_COMPRESSED_BYTES) {
        const all = { ...headers, ETag: tag(accepted) };
        if (size > MAX_BUFFERED_BYTES) return sendStream(chunks, accepted, all, request);
        return sendBytes(await encodeBody(chunks, accepted, {}), all);
      }
      const all = { ...headers, ...encodingHeader(encoding), ETag: tag(encoding) };
      if (size <= MAX_BUFFERED_BYTES) return sendBytes({ bytes: Buffer.concat(chunks), encoding }, all, store);
      store?.({ ...all, "Content-Length": String(size) });
      return sendStream(chunks, "identity", all, request);
    },
  };
}
