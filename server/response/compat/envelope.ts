/** The envelope around every body of COMPAT=1, and the form of its times. */
import type { Encoding, EncodedBody } from "../body-cache.ts";
import { MIN_COMPRESSED_BYTES, PREFERRED } from "../compression.ts";
import { gzipAround, toMiddle } from "./gzip.ts";

/** What stands before and after the payload of a successful answer. */
function compatEnvelope(requestId: string, now: Date): { before: Buffer; after: Buffer } {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogTime(now), requestId });
  return { before: Buffer.from(`${head.slice(0, -1)},"payload":`), after: Buffer.from(',"success":true}') };
}

/** `04/Mar/2023:21:04:09 +0000`: the time format that the envelope has always had, on errors too. */
export function toLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** What the envelope tells of a request. */
export interface EnvelopeFields {
  readonly requestId: string;
  readonly now: Date;
}

/** Around a body in hand. */
export function envelope(pieces: readonly Buffer[], { requestId, now }: EnvelopeFields): Buffer[] {
  const { before, after } = compatEnvelope(requestId, now);
  return [before, ...pieces, after];
}

/** Around a body that is made while it is sent. */
export async function* envelopeStream(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  { requestId, now }: EnvelopeFields,
): AsyncGenerator<Buffer> {
  const { before, after } = compatEnvelope(requestId, now);
  yield before;
  yield* body;
  yield after;
}

/** gzip before the others: it is the one that can be put together from finished parts. */
export const GZIP_FIRST: readonly Encoding[] = ["gzip", ...PREFERRED.filter((encoding) => encoding !== "gzip")];

/** How the payload of an answer is kept: as the middle of a gzip body, or as it is. */
export const toCachedEncoding = (accepted: Encoding): Encoding => (accepted === "gzip" ? "gzip" : "identity");

/** Roughly what the envelope adds. */
const ENVELOPE_BYTES = 140;

/** A payload as it is kept, ready to be enclosed; too small a one is kept as it is. */
export async function toPayload(
  pieces: readonly Buffer[],
  encoding: Encoding,
): Promise<Pick<EncodedBody, "bytes" | "encoding">> {
  const whole = Buffer.concat(pieces as Buffer[]);
  return encoding === "identity" || whole.length + ENVELOPE_BYTES < MIN_COMPRESSED_BYTES
    ? { bytes: whole, encoding: "identity" }
    : { bytes: await toMiddle(whole), encoding };
}

/** The body of one answer around a kept payload, in the encoding in which that is kept. */
export function enclose({ bytes, encoding }: Pick<EncodedBody, "bytes" | "encoding">, told: EnvelopeFields): Buffer[] {
  const { before, after } = compatEnvelope(told.requestId, told.now);
  return encoding === "gzip" ? gzipAround(before, bytes, after) : [before, bytes, after];
}
