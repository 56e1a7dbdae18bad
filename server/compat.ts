/**
 * COMPAT=1: clients of the predecessor can be pointed here unchanged. Everything that differs stands in this file: the envelope around
 * every body, another name of the schedule's paths, and the older key beside an instructor's `netid`.
 */

/** The older name of the schedule's paths: the schedule system's own. */
export const COMPAT_ALIAS = { from: "/websoc", to: "/schedule" } as const;

/** The fields of an instructor's JSON that COMPAT adds, as SQL over the instructor's columns. */
export const COMPAT_INSTRUCTOR_FIELDS: readonly (readonly [name: string, expression: string])[] = [
  ["ucinetid", "netid"],
];

/** What stands before and after the payload of a successful answer. */
function compatEnvelope(requestId: string, now: Date): { before: Buffer; after: Buffer } {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogFormat(now), requestId });
  return { before: Buffer.from(`${head.slice(0, -1)},"payload":`), after: Buffer.from(',"success":true}') };
}

/** `04/Mar/2023:21:04:09 +0000`: the time format that the envelope has always had. */
function toLogFormat(now: Date): string {
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
