/** Content encodings: negotiation, bodies encoded as a whole, and bodies encoded while they are sent. */
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { finished, pipeline, Readable, type Transform } from "node:stream";
import { HTTPResponse } from "h3";
import { createQueue, NO_CLIENT } from "../duckdb/queue.ts";
import type { Body, EndpointResult } from "./endpoint.ts";
import { type DeflatedPayload, deflatePayload, gzipAround } from "./gzip-parts.ts";
import { readPreferred } from "./negotiation.ts";

export type Encoding = "br" | "zstd" | "gzip" | "identity";

export interface EncodedBody {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  readonly headers: Readonly<Record<string, string>>;
  readonly rows?: number | undefined;
  /** Present when the bytes are a payload that gets an envelope in each response. */
  readonly payload?: Omit<DeflatedPayload, "bytes">;
}

/** A whole encoded body, or a result that is encoded while it is sent. */
export type RenderedBody = EncodedBody | EndpointResult;

export const MIN_COMPRESSED_BYTES = 1024;
/** Bodies up to this size are encoded as a whole, once for all waiting clients; larger ones while they are sent. */
export const MAX_WHOLE_BYTES = 16 * 1024 * 1024;
/** How much of a streamed body is read before its headers are sent. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

export const isBuffered = (body: Body): body is readonly Buffer[] => Array.isArray(body);

export const sizeOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

/** Node supports zstd since version 22.15. */
const zstd = zlib as typeof zlib & {
  zstdCompress?: (input: Buffer, callback: (error: Error | null, result: Buffer) => void) => void;
  createZstdCompress?: () => Transform;
};

/** The best quality takes a second per megabyte: it is for bodies that are encoded once and sent many times. */
const MAX_BEST_BYTES = 512 * 1024;
const brotli = (size: number, isLasting: boolean): zlib.BrotliOptions => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: isLasting && size <= MAX_BEST_BYTES ? zlib.constants.BROTLI_MAX_QUALITY : 4,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
});
/**
 * Limits the window for streams: brotli emits nothing before it has about two windows. With the default 4 MB window a
 * stream starts after 7 MB of JSON, with this one after 1 MB, for 5 % more bytes.
 */
const streamedBrotli: zlib.BrotliOptions = {
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_LGWIN]: 19 },
};
/** Level 5 compresses nearly as well as level 9 in a third of the time. */
const gzip: zlib.ZlibOptions = { level: 5 };

const COMPRESSORS: Partial<Record<Encoding, (input: Buffer, isLasting: boolean) => Promise<Buffer>>> = {
  br: (input, isLasting) => promisify(zlib.brotliCompress)(input, brotli(input.length, isLasting)),
  ...(zstd.zstdCompress ? { zstd: promisify(zstd.zstdCompress) } : {}),
  gzip: (input) => promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)(input, gzip),
};

/** The order of preference among encodings of equal weight. */
const PREFERRED: readonly Encoding[] = (["br", "zstd", "gzip"] as const).filter((encoding) => COMPRESSORS[encoding]);

/** A body with an envelope is cheapest as gzip: its payload is compressed once. */
const PREFERRED_AROUND = PREFERRED.toSorted((a, b) => Number(b === "gzip") - Number(a === "gzip"));

/** Returns the supported encoding with the greatest weight in an Accept-Encoding header (RFC 9110 §12.5.3). */
export function chooseEncoding(header: string | null, hasEnvelope = false): Encoding {
  if (!header) return "identity";
  const weights = new Map(readPreferred(header).map(({ name, weight }) => [name, weight]));
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const best = Math.max(...PREFERRED.map(weightOf), 0);
  const identity = weights.get("identity") ?? 0;
  if (best === 0 || identity > best) return "identity";
  const preferred = hasEnvelope ? PREFERRED_AROUND : PREFERRED;
  return preferred.find((encoding) => weightOf(encoding) === best) ?? "identity";
}

/** Limits the compression of large bodies to two of Node's four worker threads, which also read files. */
const largeBodies = createQueue({ running: 2 });

interface EncodeOptions {
  readonly headers?: EncodedBody["headers"] | undefined;
  readonly rows?: number | undefined;
  /** True for a body that is sent as it is for as long as the server runs. */
  readonly isLasting?: boolean;
  /** True for a payload that gets an envelope in each response: it is compressed only if gzip is the encoding. */
  readonly isPayload?: boolean;
}

/**
 * Compresses a buffered body off the event loop, unless it is below MIN_COMPRESSED_BYTES.
 * @throws the signal's reason while a large body waits
 */
export async function encodeBody(
  chunks: readonly Buffer[],
  encoding: Encoding,
  { headers = {}, rows, isLasting = false, isPayload = false }: EncodeOptions = {},
  signal?: AbortSignal,
): Promise<EncodedBody> {
  const size = sizeOf(chunks);
  const used = size < MIN_COMPRESSED_BYTES || (isPayload && encoding !== "gzip") ? "identity" : encoding;
  const compress = COMPRESSORS[used] ?? ((whole: Buffer) => whole);
  const end = size > MAX_BUFFERED_BYTES ? await largeBodies.enqueue(NO_CLIENT, signal) : undefined;
  try {
    if (isPayload && used === "gzip") {
      const { bytes, ...payload } = await deflatePayload(toBuffer(chunks), gzip);
      return { bytes, encoding: used, headers, rows, payload };
    }
    return { bytes: await compress(toBuffer(chunks), isLasting), encoding: used, headers, rows };
  } finally {
    end?.();
  }
}

/** Encodes a body with an envelope around its payload. @throws as encodeBody */
export async function encodeAround(
  envelope: readonly [Buffer, Buffer],
  { bytes, headers, payload, rows }: EncodedBody,
  encoding: Encoding,
  signal?: AbortSignal,
): Promise<EncodedBody> {
  if (!payload) return encodeBody([envelope[0], bytes, envelope[1]], encoding, { headers, rows }, signal);
  return { bytes: gzipAround(envelope, { ...payload, bytes }), encoding: "gzip", headers, rows };
}

/** Joins chunks; a single one is not copied. */
const toBuffer = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks as Buffer[]);

/** Streaming compressors; none for identity. */
const STREAM_COMPRESSORS: Partial<Record<Encoding, () => Transform | undefined>> = {
  br: () => zlib.createBrotliCompress(streamedBrotli),
  zstd: () => zstd.createZstdCompress?.(),
  gzip: () => zlib.createGzip(gzip),
};

export const encodingHeader = (encoding: Encoding): Record<string, string> =>
  encoding === "identity" ? {} : { "Content-Encoding": encoding };

export const withBodyHeaders = (
  { bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">,
  headers: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.assign({}, headers, encodingHeader(encoding), { "Content-Length": String(bytes.length) });

export const respondWith = (bytes: Buffer, headers: Record<string, string>, status = 200): HTTPResponse =>
  new HTTPResponse(bytes as unknown as ConstructorParameters<typeof HTTPResponse>[0], { status, headers });

const CHUNK_BYTES = 64 * 1024;

/** Waits for a slot of a concurrency limit; the returned function releases it. @throws the signal's reason */
export type AcquireSlot = (signal: AbortSignal) => Promise<() => void>;

/** Frees the resources of a body that is not sent. */
export function discard(body: Body): void {
  if (body instanceof Readable) body.destroy();
}

export async function* withEnvelope(body: Body, [prefix, suffix]: readonly [Buffer, Buffer]): AsyncGenerator<Buffer> {
  yield prefix;
  yield* body;
  yield suffix;
}

/** Reads a small body as a whole, so that it can be cached; the beginning of a larger one is read and pushed back. */
export async function readSmall(body: Body): Promise<Body> {
  if (isBuffered(body)) return body;
  const stream = body instanceof Readable ? body : Readable.from(body);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= MAX_BUFFERED_BYTES) continue;
    stream.unshift(Buffer.concat(chunks));
    return stream;
  }
  return chunks;
}

/**
 * Reads a body within a slot. Small chunks are joined, so that neither compressor nor socket sees thousands of tiny
 * writes; large ones are not copied.
 */
async function* toChunks(
  body: Body,
  acquireSlot: AcquireSlot | undefined,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const release = await acquireSlot?.(signal);
  try {
    let pending: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      signal.throwIfAborted();
      const isLarge = chunk.length >= CHUNK_BYTES;
      if (!isLarge) {
        pending.push(chunk);
        size += chunk.length;
      }
      if (size > 0 && (isLarge || size >= CHUNK_BYTES)) {
        yield Buffer.concat(pending);
        pending = [];
        size = 0;
      }
      if (isLarge) yield chunk;
    }
    if (size > 0) yield Buffer.concat(pending);
  } finally {
    release?.();
  }
}

/**
 * Streams a body. Calls `onEnd` once the body is no longer read: at its end, on failure, or when the client
 * disconnects.
 */
export function streamBody(
  body: Body,
  encoding: Encoding,
  {
    acquireSlot,
    signal,
    onEnd,
  }: { acquireSlot?: AcquireSlot | undefined; signal: AbortSignal; onEnd: (error?: Error | null) => void },
): ReadableStream<Uint8Array> {
  const source = Readable.from(toChunks(body, acquireSlot, signal), { objectMode: false, highWaterMark: CHUNK_BYTES });
  const compressor = STREAM_COMPRESSORS[encoding]?.();
  if (compressor) pipeline(source, compressor, onEnd);
  else finished(source, onEnd);
  return Readable.toWeb(compressor ?? source, { strategy: { highWaterMark: 1 } }) as ReadableStream<Uint8Array>;
}
