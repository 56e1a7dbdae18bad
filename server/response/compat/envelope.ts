/** The envelope around every body of COMPAT=1, and the form of its times. */
import { type EncodedBody, type Encoding, MIN_COMPRESSED_BYTES, PREFERRED } from "../encoding/encoding.ts";
import type { Body, EndpointResult } from "../endpoint.ts";
import { gzipAround, toMiddle } from "./gzip.ts";

/** The bytes before and after the payload of a 200. */
function compatEnvelope(requestId: string, now: Date): { before: Buffer; after: Buffer } {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogTime(now), requestId });
  return { before: Buffer.from(`${head.slice(0, -1)},"payload":`), after: Buffer.from(',"success":true}') };
}

/** `04/Mar/2023:21:04:09 +0000`: the predecessor's time format, on errors too. */
export function toLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

export interface EnvelopeFields {
  readonly requestId: string;
  readonly now: Date;
}

/** Wraps a buffered body. */
export function envelope(chunks: readonly Buffer[], { requestId, now }: EnvelopeFields): Buffer[] {
  const { before, after } = compatEnvelope(requestId, now);
  return [before, ...chunks, after];
}

/** Wraps a streamed body. */
export async function* envelopeStream(body: Body, { requestId, now }: EnvelopeFields): AsyncGenerator<Buffer> {
  const { before, after } = compatEnvelope(requestId, now);
  yield before;
  yield* body;
  yield after;
}

/** Prefers gzip: only a gzip body can be assembled around a cached payload. */
export const GZIP_FIRST: readonly Encoding[] = ["gzip", ...PREFERRED.filter((encoding) => encoding !== "gzip")];

/** The encoding of a cached payload: the middle of a gzip body, or plain. */
export const toCachedEncoding = (accepted: Encoding): Encoding => (accepted === "gzip" ? "gzip" : "identity");

const ENVELOPE_BYTES = 140;

/** Encodes a payload for the cache; one too small to be compressed stays plain. */
export async function toPayload(
  chunks: readonly Buffer[],
  encoding: Encoding,
  { headers = {}, rows }: Pick<EndpointResult, "headers" | "rows">,
): Promise<EncodedBody> {
  const whole = Buffer.concat(chunks as Buffer[]);
  return encoding === "identity" || whole.length + ENVELOPE_BYTES < MIN_COMPRESSED_BYTES
    ? { bytes: whole, encoding: "identity", headers, rows }
    : { bytes: await toMiddle(whole), encoding, headers, rows };
}

/** Wraps a cached payload, in its encoding. */
export function enclose(
  { bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">,
  fields: EnvelopeFields,
): Buffer[] {
  const { before, after } = compatEnvelope(fields.requestId, fields.now);
  return encoding === "gzip" ? gzipAround(before, bytes, after) : [before, bytes, after];
}
