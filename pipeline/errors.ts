/** One class per cause: exit status, report and HTTP status codes are derived from the class, never from the message. */

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
    super(message, options);
  }
}

/** No complete response in time. */
export class UpstreamTimeout extends UpstreamError {
  override name = "UpstreamTimeout";
}

/** Refused: a connection that fails, an error status, or the redirect that signals the rate limit. */
export class UpstreamRefused extends UpstreamError {
  override name = "UpstreamRefused";
  constructor(
    system: string,
    message: string,
    /** The HTTP status, where there was one. */
    readonly status?: number,
    /** From `Retry-After`, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(system, message, options);
  }
}

/** The response is unusable: truncated, malformed, another page, or empty where it was not before. */
export class UpstreamBadResponse extends UpstreamError {
  override name = "UpstreamBadResponse";
}

/** The body is larger than UPSTREAM_MAX_MB. Asking again gives the same. */
export class UpstreamTooLarge extends UpstreamBadResponse {
  override name = "UpstreamTooLarge";
}

/** A redirect that is not followed, because it leaves the host or has no end. Asking again gives the same. */
export class UpstreamRedirected extends UpstreamRefused {
  override name = "UpstreamRedirected";
}

/** The data that a run built fails an audit and is not published. */
export class GuardError extends Error {
  override name = "GuardError";
}
