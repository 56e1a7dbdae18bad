/** The id that a request and everything said about it have in common. */
import { randomUUID } from "node:crypto";

export const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Of this process; what follows it is counted: a random number for each request costs more than all else that is said of it. */
const OWN = randomUUID().slice(0, -12);
let count = 0;

/** The client's own id where it is short and plain, such as one from a proxy's log; else a new one. */
export function requestIdFor(sent: string | readonly string[] | null | undefined): string {
  return typeof sent === "string" && SANE_REQUEST_ID.test(sent)
    ? sent
    : `${OWN}${(count++).toString(16).padStart(12, "0")}`;
}
