/** Reads the complete body of a response or file, inflated, up to the limit. */
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { UpstreamBadResponse, UpstreamError, UpstreamTooLarge } from "../../errors.ts";
import { beyondLimit, LIMITS } from "../../limits.ts";

/** Unlike those of `fetch`, these decoders refuse a body that ends too early. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const ACCEPT_ENCODING = "gzip, deflate, br";

/**
 * Reads the body of a response.
 * @throws UpstreamTooLarge as soon as more than `maxBytes` have arrived, after inflating; UpstreamBadResponse when the
 *   body is cut off, damaged or in an unknown encoding; the reason of the signal when it aborts
 */
export async function readBody(
  system: string,
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const named = response.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  // A 304 has the headers of a body that it does not send.
  const encoding = response.statusCode === 304 ? "identity" : named;
  const { encodings } = LIMITS.body;
  const decoder = DECODERS[encoding];
  try {
    if (encoding.split(",").length > encodings) throw beyondLimit(system, "response", encodings, "content encodings");
    if (Number(response.headers["content-length"]) > maxBytes) throw tooLarge(system, maxBytes);
    if (!decoder && encoding !== "identity")
      throw new UpstreamBadResponse(system, "the body is in an unknown content encoding");
    return await collect(system, response, { maxBytes, signal, ...(decoder ? { decoder: decoder() } : {}) });
  } catch (error) {
    response.destroy();
    if (error instanceof UpstreamError || signal.aborted) throw error;
    throw new UpstreamBadResponse(system, "the body was cut off or damaged", { cause: error });
  }
}

/** Collects all bytes of a stream. @throws UpstreamTooLarge, and errors of the streams */
export async function collect(
  system: string,
  stream: Readable,
  { maxBytes, decoder, signal }: { maxBytes: number; decoder?: Transform; signal?: AbortSignal },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const count = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(system, maxBytes);
      chunks.push(chunk);
    }
  };
  const options = signal ? { signal } : {};
  try {
    await (decoder ? pipeline(stream, decoder, count, options) : pipeline(stream, count, options));
  } catch (error) {
    // The pipeline may reject with the abort that this limit causes.
    throw bytes > maxBytes ? tooLarge(system, maxBytes) : error;
  }
  return Buffer.concat(chunks, bytes);
}

const tooLarge = (system: string, maxBytes: number): UpstreamTooLarge =>
  new UpstreamTooLarge(
    system,
    `the ${system} system sent more than ${maxBytes / 1_000_000} MB in one response (UPSTREAM_MAX_MB)`,
  );
