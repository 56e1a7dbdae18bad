/** Encodes bodies while they are sent, with backpressure. */
import { finished, pipeline, Readable } from "node:stream";
import { compressStream, type Encoding, isBuffered, MAX_BUFFERED_BYTES } from "./encoding.ts";
import type { Body } from "../endpoint.ts";

const CHUNK_BYTES = 64 * 1024;

/** Waits for a slot of a concurrency limit; the returned function releases it. @throws the signal's reason */
export type AcquireSlot = (signal: AbortSignal) => Promise<() => void>;

/** Frees the resources of a body that is not sent. */
export function discard(body: Body): void {
  if (body instanceof Readable) body.destroy();
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
  const compressor = compressStream(encoding);
  if (compressor) pipeline(source, compressor, onEnd);
  else finished(source, onEnd);
  return Readable.toWeb(compressor ?? source, { strategy: { highWaterMark: 1 } }) as ReadableStream<Uint8Array>;
}
