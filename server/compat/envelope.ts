/** The envelope around every body of COMPAT=1, and its time format. */
import type { ToErrorBody } from "../response/problem.ts";

/** Formats a time like the predecessor, also in errors: `04/Mar/2023:21:04:09 +0000`. */
export function toLogTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Returns the bytes before and after the payload of a 200. */
export function envelope({ requestId, now }: { readonly requestId: string; readonly now: Date }) {
  const head = JSON.stringify({ statusCode: 200, timestamp: toLogTime(now), requestId });
  return [Buffer.from(`${head.slice(0, -1)},"payload":`), Buffer.from(',"success":true}')] as const;
}

export const toErrorBody: ToErrorBody = (fields) => ({
  ...fields,
  timestamp: toLogTime(new Date(fields.timestamp)),
  success: false,
});
