/** One class per cause: the exit status, the report and the server's status codes follow from the class, never from a message. */

/** Bad configuration or usage: exit status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Another run holds the lock: exit status 3. */
export class LockedError extends Error {
  override name = "LockedError";
}

/** An upstream system did not do its part; `system` says which. */
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

/** No answer, or not all of it, in time. */
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
    /** How long the upstream asked us to wait, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(system, message, options);
  }
}

/** It answered, but not with what it should: cut off, malformed, another page, nothing where something was. */
export class UpstreamBadResponse extends UpstreamError {
  override name = "UpstreamBadResponse";
}

/** What a run made does not pass its own audit: it is not published. */
export class GuardError extends Error {
  override name = "GuardError";
}
