/** Turns a reply's body into bytes on the wire: small ones whole and remembered, large ones as a stream with back-pressure. */
import { Readable } from "node:stream";
import { type Encoding, type EncodedBody, MAX_ENTRY_BYTES } from "./body-cache.ts";
import { compress, compressStream, MIN_COMPRESSED_BYTES } from "./compression.ts";
import type { Body } from "./endpoint.ts";

/** A larger body is compressed while it is sent. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;
/** The pieces in which a large body goes through the compressor: enough to be quick, little enough not to hold up others. */
const STREAM_CHUNK = 64 * 1024;
/** The pieces of a body that is in memory already and is sent as it is. */
const PLAIN_CHUNK = 256 * 1024;

/** What is sent is gathered to be remembered; of all answers under way together no more than this, however many clients stop reading. */
const MAX_COLLECTED_BYTES = 32 * 1024 * 1024;
let collectedBytes = 0;

export const isBuffered = (body: Body): body is readonly Buffer[] => Array.isArray(body);
export const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

/** Compresses a body that fits in memory; one below the threshold is sent as it is. */
export async function encodeBody(
  pieces: readonly Buffer[],
  encoding: Encoding,
  headers: EncodedBody["headers"],
  rows?: number,
): Promise<EncodedBody> {
  const whole = Buffer.concat(pieces as Buffer[]);
  const used = whole.length < MIN_COMPRESSED_BYTES ? "identity" : encoding;
  const bytes = await compress(whole, used);
  return { bytes, encoding: used, headers, ...(rows === undefined ? {} : { rows }) };
}

/** The same bytes in pieces of a size that holds nobody up. */
export function* cut(pieces: readonly Buffer[], most = STREAM_CHUNK): Generator<Buffer> {
  for (const piece of pieces) for (let at = 0; at < piece.length; at += most) yield piece.subarray(at, at + most);
}

/** Gathers small pieces, so that the wire does not see thousands of tiny writes. */
async function* gathered(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size >= STREAM_CHUNK) {
      yield held.length === 1 ? piece : Buffer.concat(held);
      held = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(held);
}

/** Waits for its turn first, and ends it however the stream ends. */
async function* inTurn(enter: () => Promise<() => void>, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const leave = await enter();
  try {
    yield* pieces;
  } finally {
    leave();
  }
}

/** Tells why making the body failed: by then a status has been sent, and the client sees no more than an end that comes too early. */
async function* told(pieces: AsyncIterable<Buffer>, broke: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    broke(error);
    throw error;
  }
}

/** The compressed chunks of a body in memory; `enter` gives the compressor its turn. */
export async function* encodeChunks(
  body: readonly Buffer[],
  encoding: Encoding,
  enter?: () => Promise<() => void>,
): AsyncGenerator<Buffer> {
  const compressor = compressStream(encoding);
  const chunks = Readable.from(enter ? inTurn(enter, gathered(cut(body))) : gathered(cut(body)), { objectMode: false });
  yield* compressor ? chunks.pipe(compressor) : chunks;
}

export interface Streaming {
  readonly ended: () => void;
  readonly broke: (error: unknown) => void;
  readonly keep?: ((bytes: Buffer) => void) | undefined;
  readonly enter?: (() => Promise<() => void>) | undefined;
}

/**
 * Streams a body, compressed. `ended` is called when nothing more of the body is made: at its end, or because it broke or the client hung up.
 * `keep` gets the whole compressed answer when it was sent to its end and is small enough to be remembered; `enter` gives the stream its turn.
 */
export function streamBody(
  body: Body,
  encoding: Encoding,
  { ended, broke, keep, enter }: Streaming,
): ReadableStream<Uint8Array> {
  const pieces = told(
    gathered(isBuffered(body) ? cut(body, encoding === "identity" ? PLAIN_CHUNK : STREAM_CHUNK) : body),
    broke,
  );
  const source = Readable.from(enter ? inTurn(enter, pieces) : pieces, {
    objectMode: false,
    highWaterMark: STREAM_CHUNK,
  });
  source.once("close", ended);
  const compressor = compressStream(encoding);
  const out = compressor ? source.pipe(compressor) : source;
  if (compressor) {
    source.on("error", (error) => compressor.destroy(error));
    compressor.on("close", () => source.destroy());
  }
  if (keep) {
    let parts: Buffer[] | undefined = [];
    let size = 0;
    const letGo = () => {
      if (parts) collectedBytes -= size;
      parts = undefined;
    };
    out.on("data", (part: Buffer) => {
      if (!parts) return;
      parts.push(part);
      size += part.length;
      collectedBytes += part.length;
      if (size > MAX_ENTRY_BYTES || collectedBytes > MAX_COLLECTED_BYTES) letGo();
    });
    out.on("end", () => {
      if (parts) keep(Buffer.concat(parts));
    });
    out.once("close", letGo);
    out.pause();
  }
  return Readable.toWeb(out, { strategy: { highWaterMark: 1 } }) as ReadableStream<Uint8Array>;
}
