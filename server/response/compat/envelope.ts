/** The envelope around every body of COMPAT=1, and the form of its times. */
import type { Body } from "../endpoint.ts";

/** `04/Mar/2023:21:04:09 +0000`: the predecessor's time format, on errors too. */
export function toLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

interface EnvelopeFields {
  readonly requestId: string;
  readonly now: Date;
}

/** The bytes before and after the payload of a 200. */
function around({ requestId, now }: EnvelopeFields): [before: Buffer, after: Buffer] {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogTime(now), requestId });
  return [Buffer.from(`${head.slice(0, -1)},"payload":`), Buffer.from(',"success":true}')];
}

export function envelope(payload: readonly Buffer[], fields: EnvelopeFields): Buffer[] {
  const [before, after] = around(fields);
  return [before, ...payload, after];
}

/** Wraps a body that is encoded while it is sent. */
export async function* envelopeStream(payload: Body, fields: EnvelopeFields): AsyncGenerator<Buffer> {
  const [before, after] = around(fields);
  yield before;
  yield* payload;
  yield after;
}
