/**
 * The politeness towards an upstream: a remote host gets one request after the other, with pauses; a host on loopback
 * gets them as fast as it answers.
 */
import type { RequestPolicy } from "./http.ts";

/** The registrar asked crawlers to pause for half a second. */
const REMOTE = { concurrency: 1, pauseMs: 500, backoffMs: 2000, backoffCapMs: 60_000 };
const LOOPBACK = { concurrency: 4, pauseMs: 0, backoffMs: 100, backoffCapMs: 2000 };

/** The configured policy: concurrency and pause are undefined if the address determines them. */
interface Configured extends Required<Pick<RequestPolicy, "timeoutMs" | "maxBytes" | "retries">> {
  readonly concurrency: number | undefined;
  readonly pauseMs: number | undefined;
}

export function requestPolicyFor(
  address: URL,
  { concurrency, pauseMs, timeoutMs, maxBytes, retries }: Configured,
): RequestPolicy {
  const isLocal = address.protocol === "file:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.hostname);
  const defaults = isLocal ? LOOPBACK : REMOTE;
  return {
    ...defaults,
    concurrency: concurrency ?? defaults.concurrency,
    pauseMs: pauseMs ?? defaults.pauseMs,
    timeoutMs,
    maxBytes,
    retries,
  };
}
