/** The envelope around every body of COMPAT=1, and the form of its times. */

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
interface Enveloped {
  readonly requestId: string;
  readonly now: Date;
}

/** Around a body in hand. */
export function envelope(pieces: readonly Buffer[], { requestId, now }: Enveloped): Buffer[] {
  const { before, after } = compatEnvelope(requestId, now);
  return [before, ...pieces, after];
}

/** Around a body that is made while it is sent. */
export async function* wrapped(
  body: Iterable<Buffer> | AsyncIterable<Buffer>,
  { requestId, now }: Enveloped,
): AsyncGenerator<Buffer> {
  const { before, after } = compatEnvelope(requestId, now);
  yield before;
  yield* body;
  yield after;
}
