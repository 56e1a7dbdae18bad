/** Request ids: in the response, in errors and in the log. */
import { randomUUID } from "node:crypto";

export const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** A prefix per process and a counter: a random UUID per request costs more than the rest of its observation. */
const PREFIX = randomUUID().slice(0, -12);
let count = 0;

/** The client's id if it is valid, such as one set by a proxy; else a new one. */
export function requestIdFor(received: string | readonly string[] | null | undefined): string {
  return typeof received === "string" && VALID_REQUEST_ID.test(received)
    ? received
    : `${PREFIX}${(count++).toString(16).padStart(12, "0")}`;
}
