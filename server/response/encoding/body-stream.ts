/** Encodes large bodies as streams with backpressure. */
import { Readable } from "node:stream";
import { compressStream, type Encoding, isBuffered } from "./encoding.ts";
import type { Body } from "../endpoint.ts";

/** The largest body that is cached. */
export const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
/** Chunk size for the compressor: larger chunks would delay concurrent requests. */
const STREAM_CHUNK = 64 * 1024;
const PLAIN_CHUNK = 256 * 1024;

/** Streams in flight collect their output for the cache: at most this much in total, however many clients stop reading. */
const MAX_COLLECTED_BYTES = 32 * 1024 * 1024;
let collectedBytes = 0;

/** Frees the resources of a body that is not sent. */
export function discard(body: Body): void {
  if (body instanceof Readable) body.destroy();
}

/** Splits large chunks, so that compressing one does not delay concurrent requests. */
export function* splitChunks(chunks: readonly Buffer[], maxBytes = STREAM_CHUNK): Generator<Buffer> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += maxBytes) yield chunk.subarray(at, at + maxBytes);
}

/** Joins small chunks, so that the socket does not see thousands of tiny writes. */
async function* coalesceChunks(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size >= STREAM_CHUNK) {
      yield pending.length === 1 ? chunk : Buffer.concat(pending);
      pending = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pending);
}

/** Acquires a slot for the first chunk and releases it however the stream ends. */
async function* withSlot(acquireSlot: AcquireSlot, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const release = await acquireSlot();
  try {
    yield* chunks;
  } finally {
    release();
  }
}

/** Reports a failure for the log: the status is already sent, so the client sees only a truncated body. */
async function* reportFailure(
  chunks: AsyncIterable<Buffer>,
  onError: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Waits for a slot of a concurrency limit; the returned function releases it. */
export type AcquireSlot = () => Promise<() => void>;

/** The compressed chunks of a buffered body, of 64 kB and more; the compressor runs in a slot. */
export async function* encodeChunks(
  body: readonly Buffer[],
  encoding: Encoding,
  acquireSlot?: AcquireSlot,
): AsyncGenerator<Buffer> {
  const compressor = compressStream(encoding);
  const coalesced = coalesceChunks(splitChunks(body));
  const source = Readable.from(acquireSlot ? withSlot(acquireSlot, coalesced) : coalesced, { objectMode: false });
  try {
    if (compressor) source.on("error", (error) => compressor.destroy(error)).pipe(compressor);
    // Joined here, once for all readers: a compressor emits a few kilobytes at a time.
    yield* coalesceChunks(compressor ?? source);
  } finally {
    // A stream that is no longer read does not end by itself, and with it the slot.
    source.destroy();
  }
}

export interface StreamOptions {
  /** Called once no more of the body is read: at its end, on failure, or when the client disconnects. */
  readonly onClose: () => void;
  readonly onError: (error: unknown) => void;
  /** Gets the encoded body if it was sent completely and fits into the cache. */
  readonly store?: ((bytes: Buffer) => void) | undefined;
  readonly acquireSlot?: AcquireSlot | undefined;
}

export function streamBody(
  body: Body,
  encoding: Encoding,
  { onClose, onError, store, acquireSlot }: StreamOptions,
): ReadableStream<Uint8Array> {
  const chunks = reportFailure(
    coalesceChunks(isBuffered(body) ? splitChunks(body, encoding === "identity" ? PLAIN_CHUNK : STREAM_CHUNK) : body),
    onError,
  );
  const source = Readable.from(acquireSlot ? withSlot(acquireSlot, chunks) : chunks, {
    objectMode: false,
    highWaterMark: STREAM_CHUNK,
  });
  source.once("close", () => {
    discard(body);
    onClose();
  });
  const compressor = compressStream(encoding);
  const out = compressor ? source.pipe(compressor) : source;
  if (compressor) {
    source.on("error", (error) => compressor.destroy(error));
    compressor.on("close", () => source.destroy());
  }
  if (store) {
    let collected: Buffer[] | undefined = [];
    let size = 0;
    const dropCollected = () => {
      if (collected) collectedBytes -= size;
      collected = undefined;
    };
    out.on("data", (chunk: Buffer) => {
      if (!collected) return;
      collected.push(chunk);
      size += chunk.length;
      collectedBytes += chunk.length;
      if (size > MAX_ENTRY_BYTES || collectedBytes > MAX_COLLECTED_BYTES) dropCollected();
    });
    out.on("end", () => {
      if (collected) store(Buffer.concat(collected));
    });
    out.once("close", dropCollected);
    out.pause();
  }
  return Readable.toWeb(out, { strategy: { highWaterMark: 1 } }) as ReadableStream<Uint8Array>;
}
