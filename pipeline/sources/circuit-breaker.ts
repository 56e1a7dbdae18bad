/** A circuit breaker: an upstream that is down is not asked again and again, and those who ask hear so at once. */
import { UpstreamBadResponse, UpstreamError, UpstreamRefused, UpstreamTimeout } from "../errors.ts";

export interface CircuitBreakerOptions {
  /** So many failures in a row open it. */
  failures: number;
  /** How long it stays open before one request may try, in milliseconds. */
  openMs: number;
  /** Milliseconds of a clock that never goes back. */
  clock: () => number;
}

export interface CircuitBreaker {
  /**
   * Does the work unless the upstream is known to be down.
   * @param isAbandoned true when a failure means only that nobody waits any more
   * @throws what the work throws, or an error of the same class as the last failure, without asking
   */
  guard<T>(work: () => Promise<T>, isAbandoned?: () => boolean): Promise<T>;
}

export function createCircuitBreaker({ failures, openMs, clock }: CircuitBreakerOptions): CircuitBreaker {
  let inARow = 0;
  let openUntil = 0;
  let isProbing = false;
  let last: UpstreamError | undefined;

  return {
    async guard(work, isAbandoned = () => false) {
      const isProbe = inARow >= failures;
      if (isProbe) {
        if (isProbing || clock() < openUntil) throw sameCause(last, inARow);
        isProbing = true;
      }
      try {
        const result = await work();
        inARow = 0;
        return result;
      } catch (error) {
        if (error instanceof UpstreamError && !isAbandoned()) {
          last = error;
          inARow++;
          openUntil = clock() + openMs;
        }
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}

function sameCause(last: UpstreamError | undefined, inARow: number): UpstreamError {
  const system = last?.system ?? "upstream";
  const message = `not asked: the last ${inARow} requests failed`;
  const options = { cause: last };
  if (last instanceof UpstreamTimeout) return new UpstreamTimeout(system, message, options);
  if (last instanceof UpstreamBadResponse) return new UpstreamBadResponse(system, message, options);
  const { status, retryAfterMs } = last instanceof UpstreamRefused ? last : {};
  return new UpstreamRefused(system, message, status, retryAfterMs, options);
}
