/** A class per cause: exit status, report and HTTP status codes are derived from the class, never from the message. */
import { reportedText } from "./contract/reported-text.ts";

/** Bad configuration or usage: exit status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Another run holds the lock: exit status 3. */
export class LockedError extends Error {
  override name = "LockedError";
}

/** A request to an upstream system failed; `system` names it. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  constructor(
    readonly system: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(reportedText(message), options);
  }
}

/** No complete response arrived in time. */
export class UpstreamTimeout extends UpstreamError {
  override name = "UpstreamTimeout";
}

/**
 * The request was refused: the connection failed, or the response was an error status or the redirect that signals the
 * rate limit.
 */
export class UpstreamRefused extends UpstreamError {
  override name = "UpstreamRefused";
  constructor(
    system: string,
    message: string,
    /** The HTTP status, if there was a response. */
    readonly status?: number,
    /** From `Retry-After`, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(system, message, options);
  }
}

/** The response is unusable: truncated, malformed, a different page, or empty although it was not before. */
export class UpstreamBadResponse extends UpstreamError {
  override name = "UpstreamBadResponse";
}

/** The body is larger than UPSTREAM_MAX_MB. A retry would not help. */
export class UpstreamTooLarge extends UpstreamBadResponse {
  override name = "UpstreamTooLarge";
}

/** A redirect that is not followed, because it leaves the host or never ends. A retry would not help. */
export class UpstreamRedirected extends UpstreamRefused {
  override name = "UpstreamRedirected";
}

/** No host has that name, or its certificate is not valid. A retry would not help. */
export class UpstreamUnreachable extends UpstreamRefused {
  override name = "UpstreamUnreachable";
}

const PASSING: Readonly<Record<string, (host: string) => string>> = {
  EAI_AGAIN: (host) => `the name of the host ${host} cannot be looked up now`,
  ECONNREFUSED: (host) => `${host} refused the connection`,
  ECONNRESET: (host) => `${host} broke the connection`,
  UND_ERR_SOCKET: (host) => `${host} broke the connection`,
  EPIPE: (host) => `${host} broke the connection`,
  ETIMEDOUT: (host) => `${host} does not accept the connection`,
  EHOSTUNREACH: (host) => `there is no route to ${host}`,
  ENETUNREACH: (host) => `there is no route to ${host}`,
  EPROTO: (host) => `${host} does not speak https`,
};

/** Converts an error of node:http or fetch to host and reason, without path, password and query. */
export function connectionError(system: string, { host, hostname }: URL, thrown: unknown): UpstreamRefused {
  const code = codeOf(thrown);
  const refused = (Kind: typeof UpstreamRefused, words: string) =>
    new Kind(system, words, undefined, undefined, { cause: thrown });
  if (code === "ENOTFOUND") return refused(UpstreamUnreachable, `the host ${hostname} is unknown`);
  if (/CERT|UNABLE_TO_/.test(code))
    return refused(UpstreamUnreachable, `the certificate of ${host} is not valid (${code})`);
  const words = PASSING[code]?.(host) ?? `the connection to ${host} failed${code === "" ? "" : ` (${code})`}`;
  return refused(UpstreamRefused, words);
}

/** The `fetch` function wraps the error that has the code. */
function codeOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if ("code" in cause) return String(cause.code);
  return "";
}

/** The new data failed an audit and is not published. */
export class GuardError extends Error {
  override name = "GuardError";
}
